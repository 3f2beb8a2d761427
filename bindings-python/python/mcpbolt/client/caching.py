"""A client's cache of results, as 2.x lets a program configure it.

Owns: which results are kept, for which partition and how long. Without a `CacheConfig` the
engine caches results itself; with one they are kept here, in a store that the program may
provide.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from .._engine.protocol import METHODS

__all__ = [
    "MAX_TTL_MS",
    "CacheConfig",
    "CacheEntry",
    "CacheKey",
    "CacheMode",
    "InMemoryResponseCacheStore",
    "ResponseCacheStore",
]

logger: logging.Logger = logging.getLogger("mcp.client.caching")

CacheMode = Literal["use", "refresh", "bypass"]
"""How one call uses the cache: `"use"` takes a valid cached result, `"refresh"` asks the server and
caches the result, `"bypass"` asks the server and leaves the cache as it is.
"""

MAX_TTL_MS: int = 24 * 60 * 60 * 1000
"""Longest time that a result is cached, in milliseconds (24 hours), whatever the server says."""


@dataclass(frozen=True)
class CacheKey:
    """Identifies a cached result: the request it answers, and the partition it belongs to."""

    method: str
    """The method of the request, such as `tools/list`."""
    params_key: str = ""
    """The part of the params that tells requests apart: the URI of `resources/read`, else empty."""
    partition: str = ""
    """The server and the user that the result belongs to. Stores treat it as an opaque name."""


@dataclass(frozen=True)
class CacheEntry:
    """A cached result."""

    value: Any
    """The result as a pydantic model."""
    scope: Literal["public", "private"]
    """Whether the server allows sharing the result with other users."""
    expires_at: float | None
    """When the result becomes stale, in seconds since the epoch; `None` if it is stale already."""


class ResponseCacheStore(Protocol):
    """A store for cached results. If it raises, the exception is logged and the server is asked."""

    async def get(self, key: CacheKey) -> CacheEntry | None:
        """Return the entry of a key, or `None` if there is none.

        Args:
            key: The key of the entry.
        """
        ...

    async def set(self, key: CacheKey, entry: CacheEntry) -> None:
        """Store an entry, in place of any earlier one.

        Args:
            key: The key of the entry.
            entry: The entry.
        """
        ...

    async def delete(self, key: CacheKey) -> None:
        """Remove the entry of a key, if there is one.

        Args:
            key: The key of the entry.
        """
        ...

    async def clear(self) -> None:
        """Remove all entries."""
        ...


@dataclass(frozen=True)
class CacheConfig:
    """How a client caches results.

    Raises:
        ValueError: `store` is given without `partition`, `target_id` is empty, or `default_ttl_ms` is
            negative.
    """

    store: ResponseCacheStore | None = None
    """Where results are kept. Default: in memory, for this client alone."""
    partition: str = ""
    """A name of the user that private results belong to, taken from a verified credential. Required
    with `store`. Default: empty, for one user.
    """
    target_id: str | None = None
    """A name of the server. Required with `store` if the server has no URL. Default: the URL."""
    default_ttl_ms: int = 0
    """How long to cache results for which the server gives no time, in milliseconds. Default: 0,
    they are not cached.
    """
    clock: Callable[[], float] = time.time
    """Returns the current time in seconds since the epoch. Default: `time.time`."""
    share_public: bool = False
    """Whether results that the server marks as public are shared with other partitions. Only for
    servers that you trust to mark them correctly. Default: no.
    """

    def __post_init__(self) -> None:
        if self.store is not None and not self.partition:
            raise ValueError("a custom store requires an explicit partition")
        if self.target_id == "":
            raise ValueError("target_id must be a non-empty string or omitted")
        if self.default_ttl_ms < 0:
            raise ValueError(f"default_ttl_ms must be >= 0, got {self.default_ttl_ms}")


class InMemoryResponseCacheStore:
    """Caches results in this process. When it is full, the least recently used entry is dropped.

    Args:
        max_entries: How many results are cached at most; 0 for no limit. Default: 1024.
    """

    def __init__(self, max_entries: int = 1024) -> None:
        self._max = max_entries
        self._entries: OrderedDict[CacheKey, CacheEntry] = OrderedDict()

    async def get(self, key: CacheKey) -> CacheEntry | None:
        """Return the entry of a key, or `None` if there is none.

        Args:
            key: The key of the entry.
        """
        entry = self._entries.get(key)
        if entry is not None:
            self._entries.move_to_end(key)
        return entry

    async def set(self, key: CacheKey, entry: CacheEntry) -> None:
        """Store an entry; the least recently used one is dropped if the store is full.

        Args:
            key: The key of the entry.
            entry: The entry.
        """
        self._entries[key] = entry
        self._entries.move_to_end(key)
        while self._max and len(self._entries) > self._max:
            self._entries.popitem(last=False)

    async def delete(self, key: CacheKey) -> None:
        """Remove the entry of a key, if there is one.

        Args:
            key: The key of the entry.
        """
        self._entries.pop(key, None)

    async def clear(self) -> None:
        """Remove all entries."""
        self._entries.clear()


# The methods whose results a notification makes stale.
_EVICTS = {
    name: [method for method, listing in METHODS.items() if listing.lists and listing.capability == row.capability[:1]]
    for name, row in METHODS.items()
    if not row.is_request and row.capability[1:] == ("listChanged",) and row.declared_by == "server"
}


def evicted(method: str, params: Any) -> list[CacheKey]:
    """The requests whose answers a notification makes stale, without the partition.

    Args:
        method: The method.
        params: The params.
    """
    if method == "notifications/resources/updated" and isinstance(params, dict):
        return [CacheKey("resources/read", str(params.get("uri")))]  # pyright: ignore
    return [CacheKey(name) for name in _EVICTS.get(method, ())]


class ResponseCache:
    """The results that one client caches.

    Args:
        config: Where and for how long results are kept.
        target: The server that the results are from.
    """

    def __init__(self, config: CacheConfig, target: str) -> None:
        self._config = config
        self._store: ResponseCacheStore = config.store or InMemoryResponseCacheStore()
        self._own = f"{target}\0{config.partition}"
        self._shared = f"{target}\0" if config.share_public else None
        # Counts notifications that made results stale. A result that was requested before such
        # a notification and arrives after it is not cached.
        self._changes = 0

    async def through(self, method: str, params_key: str, mode: CacheMode, ask: Callable[[], Awaitable[Any]]) -> Any:
        """Return the cached result if it is valid and `mode` allows it, else ask the server.

        Args:
            method: The method.
            params_key: The part of the params that tells requests apart: the URI of
                `resources/read`, else empty.
            mode: How to use the cache.
            ask: Asks the server.
        """
        if mode == "bypass":
            return await ask()
        if mode == "use":
            kept = await self._kept(method, params_key)
            if kept is not None:
                return kept
        before = self._changes
        result = await ask()
        if before == self._changes:
            await self._keep(method, params_key, result)
        return result

    async def _kept(self, method: str, params_key: str) -> Any:
        for partition in (self._own, self._shared):
            if partition is None:
                continue
            entry = await self._try(self._store.get(CacheKey(method, params_key, partition)))
            if entry is None or entry.expires_at is None or entry.expires_at <= self._config.clock():
                continue
            if partition == self._own or entry.scope == "public":
                return entry.value.model_copy(deep=True)
        return None

    async def _keep(self, method: str, params_key: str, result: Any) -> None:
        said: dict[str, Any] = result.__pydantic_extra__ or {}
        ttl = getattr(result, "ttlMs", said.get("ttlMs"))
        milliseconds = self._config.default_ttl_ms if ttl is None else ttl
        is_public = getattr(result, "cacheScope", said.get("cacheScope")) == "public"
        scope: Literal["public", "private"] = "public" if is_public else "private"
        partition = self._shared if scope == "public" and self._shared is not None else self._own
        key = CacheKey(method, params_key, partition)
        if milliseconds <= 0:
            await self._try(self._store.delete(key))
            return
        until = self._config.clock() + min(milliseconds, MAX_TTL_MS) / 1000
        await self._try(self._store.set(key, CacheEntry(result.model_copy(deep=True), scope, until)))

    async def changed(self, method: str, params: Any) -> None:
        """Remove the results that a notification makes stale.

        Args:
            method: The method.
            params: The params.
        """
        keys = evicted(method, params)
        if not keys:
            return
        self._changes += 1
        for key in keys:
            for partition in (self._own, self._shared):
                if partition is not None:
                    await self._try(self._store.delete(CacheKey(key.method, key.params_key, partition)))

    @staticmethod
    async def _try(work: Awaitable[Any]) -> Any:
        try:
            return await work
        except Exception:
            logger.exception("The store of kept results failed; the server is asked")
            return None
