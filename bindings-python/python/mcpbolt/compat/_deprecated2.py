"""What 2.x warns about when it is used.

Owns: the methods, and the words of the warnings. Must not know: what the methods do.
"""

from __future__ import annotations

from typing import Any

_OF_SEP = "The {} capability is deprecated as of 2026-07-28 (SEP-2577)."
_LOGGING, _SAMPLING, _ROOTS = (_OF_SEP.format(name) for name in ("logging", "sampling", "roots"))
_PROGRESS = "Client-to-server progress is deprecated as of 2026-07-28; progress is server-to-client only."
_PING = "ping is removed as of 2026-07-28; the method only works under mode='legacy'."
_SUBSCRIBE = "resources/{} is removed as of 2026-07-28; use Client.listen() instead."
_OF_CLIENTS = {
    "send_progress_notification": _PROGRESS,
    "set_logging_level": _LOGGING,
    "subscribe_resource": _SUBSCRIBE.format("subscribe"),
    "unsubscribe_resource": _SUBSCRIBE.format("unsubscribe"),
    "send_roots_list_changed": _ROOTS,
}
# By class: its methods.
_METHODS: dict[str, dict[str, str]] = {
    "Client": {"send_ping": _PING, **_OF_CLIENTS},
    "ClientSession": _OF_CLIENTS,
    "ServerSession": {"send_log_message": _LOGGING, "create_message": _SAMPLING, "list_roots": _ROOTS},
    "ClientPeer": {"sample": _SAMPLING, "list_roots": _ROOTS},
    "Connection": {"log": _LOGGING},
    "FuncMetadata": {
        "call_fn_with_arg_validation": (
            "FuncMetadata.call_fn_with_arg_validation() is deprecated and will be removed in 3.0; "
            "call validate_arguments() and then call_fn() instead."
        )
    },
    "Context": {name: _LOGGING for name in ("log", "debug", "info", "warning", "error")},
}


def mark(kind: Any) -> None:
    """Make the methods of a class warn, if it has some of these."""
    from typing_extensions import deprecated

    from ..shared.exceptions import MCPDeprecationWarning

    for method, words in _METHODS.get(kind.__name__, {}).items():
        warns: Any = deprecated
        found = getattr(kind, method, None)
        # A class above may have it from here already, and another class of this name none of it.
        if found is not None and not hasattr(found, "__deprecated__"):
            setattr(kind, method, warns(words, category=MCPDeprecationWarning)(found))
