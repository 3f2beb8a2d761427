"""Authorization of clients over HTTP: OAuth 2.1 for the `auth` argument of `httpx`."""

from __future__ import annotations

from ...shared.auth import AuthorizationCodeResult
from .exceptions import OAuthFlowError, OAuthRegistrationError, OAuthTokenError
from .oauth2 import OAuthClientProvider, PKCEParameters, TokenStorage

__all__ = [
    "AuthorizationCodeResult",
    "OAuthClientProvider",
    "OAuthFlowError",
    "OAuthRegistrationError",
    "OAuthTokenError",
    "PKCEParameters",
    "TokenStorage",
]
