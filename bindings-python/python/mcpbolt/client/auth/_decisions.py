"""Decisions of the engine on the way to a token, and its failures as exceptions.

Owns: the exception for each failure. Must not know: what is decided, which is the engine's.
"""

from __future__ import annotations

from typing import Any

from ..._engine.json import dumps
from ..._mcpbolt import EngineError, auth_decision
from .exceptions import OAuthFlowError, OAuthRegistrationError, OAuthTokenError

_KINDS: dict[str, type[OAuthFlowError]] = {
    "token_refused": OAuthTokenError,
    "client_authentication": OAuthTokenError,
    "registration_refused": OAuthRegistrationError,
}
_DOCUMENTS: dict[str, type[OAuthFlowError]] = {
    "tokens": OAuthTokenError,
    "registration": OAuthRegistrationError,
}
# The first words of the official package, which programs look for.
_WORDS = {
    "token_refused": "Token exchange failed ({status}): ",
    "registration_refused": "Registration failed: {status} ",
    "redirect_mismatch": "Authorization response iss mismatch: ",
    "state_mismatch": "State parameter mismatch: ",
    "no_server_metadata": "No authorization server metadata discovered for {issuer}: ",
}


def decide(name: str, **given: Any) -> Any:
    """Ask the engine. Members that are `None` are left out.

    Raises:
        OAuthFlowError: The engine refuses what it was given.
    """
    try:
        return auth_decision(name, dumps({key: value for key, value in given.items() if value is not None}))
    except EngineError as error:
        raise from_engine(error) from None


def from_engine(error: EngineError) -> Exception:
    """The exception for an error of a verb."""
    _, _, message, data = error.args
    return as_exception(data) if data else ValueError(message)


def as_exception(failure: dict[str, Any]) -> OAuthFlowError:
    """The exception for a failure of a flow."""
    kind, document = failure["kind"], failure.get("document")
    if (kind, document) == ("unavailable", "resource_metadata") and failure.get("status"):
        return OAuthFlowError(f"Protected resource metadata request failed: HTTP {failure['status']}")
    if document == "redirect" and (kind, failure.get("field")) == ("malformed", "code"):
        return OAuthFlowError("No authorization code received")
    if document == "redirect" and kind == "issuer_mismatch":
        kind = "redirect_mismatch"
    type_ = _KINDS.get(kind) or _DOCUMENTS.get(document or "", OAuthFlowError)
    return type_(_WORDS.get(kind, "").format_map(failure) + failure["message"])
