"""Authorization of clients over HTTP: OAuth 2.1 for the `auth` argument of an HTTP client.

Owns: its place in the official package. Must not know: how it works.
"""

from __future__ import annotations

from ....client.auth.exceptions import OAuthFlowError, OAuthRegistrationError, OAuthTokenError
from ....client.auth.file_storage import FileTokenStorage, SharedTokenStorage
from ....client.auth.loopback import LoopbackRedirect
from ....client.auth.oauth2 import PKCEParameters, TokenStorage
from ....shared.auth import AuthorizationCodeResult
from ._provider import OAuth, OAuthClientProvider

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
