"""The types of a server's settings.

Owns: what each setting may be, and what text or another type is read as. Must not know: what
the settings are for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Optional, get_args, get_origin

_OPTIONAL_TEXT = Optional[str]
_OPTIONAL_SECONDS = Optional[float]

# By name, as pydantic takes them.
_TYPES: dict[str, Any] = {
    "debug": bool,
    "log_level": Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"],
    "host": str,
    "port": int,
    "mount_path": str,
    "sse_path": str,
    "message_path": str,
    "streamable_http_path": str,
    "json_response": bool,
    "stateless_http": bool,
    "max_request_body_size": int,
    "session_idle_timeout": _OPTIONAL_SECONDS,
    "max_sessions": Optional[int],
    "warn_on_duplicate_resources": bool,
    "warn_on_duplicate_tools": bool,
    "warn_on_duplicate_prompts": bool,
    "dependencies": list[str],
    "lifespan": Optional[Callable[..., Any]],
    "legacy_sse": bool,
    "docs": bool,
    "trusted_proxies": list[str],
    "stream_after": _OPTIONAL_SECONDS,
    "health": _OPTIONAL_TEXT,
    "ready": _OPTIONAL_TEXT,
    "metrics": _OPTIONAL_TEXT,
    "shutdown_delay": float,
}
# Settings whose values are models, each with an attribute that only such a model has: looking for
# it needs no import of the model.
_MODELS = {"auth": "verifies_tokens", "transport_security": "enable_dns_rebinding_protection"}


def checked(values: dict[str, Any]) -> dict[str, Any]:
    """Settings in their types. As in the official package, text that says a value is read as it,
    such as `"8001"` and `"false"`, which environment variables hold.

    Args:
        values: Settings by name; names that are none are not looked at.

    Raises:
        ValidationError: A value is not of its type, in pydantic's words.
    """
    # What programs usually give fits, and then nothing has to load pydantic.
    if all(_fits(name, value) for name, value in values.items()):
        return values
    from pydantic import ConfigDict, create_model

    known = {name: value for name, value in values.items() if name in _TYPES or name in _MODELS}
    fields: dict[str, Any] = {name: (_declared(name, value), ...) for name, value in known.items()}
    config = ConfigDict(arbitrary_types_allowed=True)
    model: Any = create_model("Settings", __config__=config, **fields)
    found = model.model_validate(known)
    return {**values, **{name: getattr(found, name) for name in known}}


def _fits(name: str, value: Any) -> bool:
    if name in _MODELS:
        return value is None or hasattr(value, _MODELS[name])
    declared = _TYPES.get(name)
    if declared is None or type(value) is declared:
        return True
    if get_origin(declared) is list:
        return value.__class__ is list and all(item.__class__ is str for item in value)
    if name == "lifespan":
        return value is None or callable(value)
    if get_origin(declared) is Literal:
        return value in get_args(declared)
    # Whole seconds are seconds; `type(None)` is among the arguments of an optional type.
    allowed = get_args(declared) or (declared,)
    return type(value) in allowed or (type(value) is int and float in allowed)


def _declared(name: str, value: Any) -> Any:
    """The type of a setting, for pydantic."""
    if name not in _MODELS:
        return _TYPES[name]
    if _fits(name, value):
        # A model of this package, whichever it is.
        return Any
    if name == "auth":
        from ..server.auth.settings import AuthSettings

        return Optional[AuthSettings]
    from ..server.transport_security import TransportSecuritySettings

    return Optional[TransportSecuritySettings]
