"""Authorization of clients over HTTP: OAuth 2.1 for the `auth` argument of an HTTP client.

Owns: its place in the official package, whose 2.x has one name more here. Must not know: how it
works.
"""

from __future__ import annotations

from ....client.auth.exceptions import OAuthFlowError, OAuthRegistrationError, OAuthTokenError
from ....client.auth.file_storage import FileTokenStorage, SharedTokenStorage
from ....client.auth.loopback import LoopbackRedirect
from ....client.auth.oauth2 import OAuthClientProvider, PKCEParameters, TokenStorage
from ....client.auth.sign_in import OAuth
from ....shared.auth import AuthorizationCodeResult

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
