"""Clients: sessions with servers, and the transports to reach them. Names are imported on
first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .._engine import face

if TYPE_CHECKING:
    from .caching import CacheConfig, CacheEntry, CacheKey, CacheMode, InMemoryResponseCacheStore, ResponseCacheStore
    from .client import Client
    from .context import ClientRequestContext
    from .extension import ClaimContext, ClientExtension, ExtensionMethod, NotificationBinding, ResultClaim, advertise
    from .session import ClientSession

__all__ = [
    "CacheConfig",
    "CacheEntry",
    "CacheKey",
    "CacheMode",
    "ClaimContext",
    "Client",
    "ClientExtension",
    "ExtensionMethod",
    "ClientRequestContext",
    "ClientSession",
    "InMemoryResponseCacheStore",
    "NotificationBinding",
    "ResponseCacheStore",
    "ResultClaim",
    "advertise",
]

_HOMES = {
    "caching": (
        "CacheConfig",
        "CacheEntry",
        "CacheKey",
        "CacheMode",
        "InMemoryResponseCacheStore",
        "ResponseCacheStore",
    ),
    "client": ("Client",),
    "context": ("ClientRequestContext",),
    "extension": ("ClaimContext", "ClientExtension", "ExtensionMethod", "NotificationBinding", "ResultClaim", "advertise"),
    "session": ("ClientSession",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    # These names belong to 2.x, so they are hidden while this package stands in for 1.x.
    if name not in _HOME_OF or face.current.named_as_1:
        from .._elsewhere import missing

        raise missing(__name__, name)
    value = getattr(import_module(f".{_HOME_OF[name]}", __name__), name)
    globals()[name] = value
    return value
