"""The models of 2.x for the layers below, which are written for those of 1.x.

Owns: unions that can be called and asked to read a message, as the root models of 1.x can.
Must not know: who asks. Programs never get these.
"""

from __future__ import annotations

from typing import Any

from . import find as _find

_UNIONS = {
    "ClientRequest": "client_request_adapter",
    "ClientNotification": "client_notification_adapter",
    "ClientResult": "client_result_adapter",
    "ServerRequest": "server_request_adapter",
    "ServerNotification": "server_notification_adapter",
    "ServerResult": "server_result_adapter",
    "JSONRPCMessage": "jsonrpc_message_adapter",
}


class _Rooted(type):
    """A union in the shape of a root model whose instances are their roots."""

    adapter: Any

    def __call__(cls, root: Any) -> Any:
        """The message itself."""
        return root

    def model_validate(cls, value: Any, **options: Any) -> Any:
        """Read a message."""
        return cls.adapter.validate_python(value, by_name=False, by_alias=True, **options)

    def model_validate_json(cls, text: str | bytes, **options: Any) -> Any:
        """Read a message that is text."""
        return cls.adapter.validate_json(text, by_name=False, by_alias=True, **options)

    def model_construct(cls, root: Any) -> Any:
        """The message itself."""
        return root


_made: dict[str, Any] = {}


def find(name: str) -> Any:
    """The type of a name, as a root model where it is one in 1.x.

    Raises:
        AttributeError: 2.x has no such type.
    """
    adapter = _UNIONS.get(name)
    if adapter is None:
        return _find(name)
    if name not in _made:
        _made[name] = _Rooted(name, (), {"adapter": _find(adapter)})
    return _made[name]


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return find(name)
