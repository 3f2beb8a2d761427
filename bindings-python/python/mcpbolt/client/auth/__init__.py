"""Authorization of clients over HTTP: OAuth 2.1 for the `auth` argument of `httpx`."""

from __future__ import annotations

from ...shared.auth import AuthorizationCodeResult
from .exceptions import OAuthFlowError, OAuthRegistrationError, OAuthTokenError
from .file_storage import FileTokenStorage, SharedTokenStorage
from .loopback import LoopbackRedirect
from .oauth2 import OAuthClientProvider, PKCEParameters, TokenStorage
from .sign_in import OAuth

__all__ = [
    "AuthorizationCodeResult",
    "FileTokenStorage",
    "LoopbackRedirect",
    "OAuth",
    "OAuthClientProvider",
    "OAuthFlowError",
    "OAuthRegistrationError",
    "OAuthTokenError",
    "PKCEParameters",
    "SharedTokenStorage",
    "TokenStorage",
]
