"""Authorization of clients over HTTP: OAuth 2.1 for the `auth` argument of `httpx`."""

from __future__ import annotations

from .exceptions import OAuthFlowError, OAuthRegistrationError, OAuthTokenError
from .oauth2 import OAuthClientProvider, PKCEParameters, TokenStorage

__all__ = [
    "OAuthClientProvider",
    "OAuthFlowError",
    "OAuthRegistrationError",
    "OAuthTokenError",
    "PKCEParameters",
    "TokenStorage",
]
