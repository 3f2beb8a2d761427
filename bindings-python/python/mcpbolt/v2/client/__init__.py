"""Clients of 2.x. Names are imported on first use.

Owns: which names are here. Must not know: what they do.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...client.caching import (
        CacheConfig,
        CacheEntry,
        CacheKey,
        CacheMode,
        InMemoryResponseCacheStore,
        ResponseCacheStore,
    )
    from ._incoming import IncomingMessage
    from ._input_required import InputRequiredRoundsExceededError
    from ._transport import Transport
    from .client import Client
    from .context import ClientRequestContext
    from .extension import ClaimContext, ClientExtension, NotificationBinding, ResultClaim, advertise
    from .session import ClientSession

__all__ = [
    "CacheConfig",
    "CacheEntry",
    "CacheKey",
    "CacheMode",
    "ClaimContext",
    "Client",
    "ClientExtension",
    "ClientRequestContext",
    "ClientSession",
    "InMemoryResponseCacheStore",
    "IncomingMessage",
    "InputRequiredRoundsExceededError",
    "NotificationBinding",
    "ResponseCacheStore",
    "ResultClaim",
    "Transport",
    "advertise",
]

# Under the alias, `__name__` is another.
_HERE = __name__
_HOMES = {
    **dict.fromkeys(("ClaimContext", "ClientExtension", "NotificationBinding", "ResultClaim", "advertise"), ".extension"),
    "Client": ".client",
    "ClientRequestContext": ".context",
    "IncomingMessage": "._incoming",
    "ClientSession": ".session",
    "InputRequiredRoundsExceededError": "._input_required",
    "Transport": "._transport",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES.get(name, "...client"), _HERE), name)
    globals()[name] = value
    return value
