"""Kept results of a client, as 2.x lets a program arrange them.

Owns: what is kept for whom and how long. Without a `CacheConfig` the engine keeps results
by itself; with one they are kept here, in a store that may be the program's.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

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
"""For one call: `use` what is kept, `refresh` it from the server, or `bypass` the cache."""

MAX_TTL_MS: int = 24 * 60 * 60 * 1000
"""Longest time a result is kept, in milliseconds, whatever a server says."""


@dataclass(frozen=True)
class CacheKey:
    """Which request a cached result answers, and for which credentials."""

    method: str
    """The method of the cached request, such as `tools/list`."""
    params_key: str = ""
    """The part of the params that distinguishes requests: the URI of `resources/read`."""
    partition: str = ""
    """Whose it is; stores treat it as a name."""


@dataclass(frozen=True)
class CacheEntry:
    """A cached result."""

    value: Any
    """The cached result, as a model."""
    scope: Literal["public", "private"]
    """Whether others may have it, as the server said."""
    expires_at: float | None
    """Seconds since the epoch from which on it is stale; `None` is always stale."""


class ResponseCacheStore(Protocol):
    """Where results are kept. What it raises is logged, and the server is asked."""

    async def get(self, key: CacheKey) -> CacheEntry | None:
        """The cached entry of a key, or `None`."""
        ...

    async def set(self, key: CacheKey, entry: CacheEntry) -> None:
        """Store an entry under a key."""
        ...

    async def delete(self, key: CacheKey) -> None:
        """Remove the entry of a key."""
        ...

    async def clear(self) -> None:
        """Remove all entries."""
        ...


@dataclass(frozen=True)
class CacheConfig:
    """How a client keeps results.

    Raises:
        ValueError: A store without a partition, an empty target, or a negative time.
    """

    store: ResponseCacheStore | None = None
    """Where; in memory, for this client alone, without one."""
    partition: str = ""
    """For whom: a name of who is logged in, from a credential that was checked. A store
    that several share needs one."""
    target_id: str | None = None
    """Which server, where that is not its URL."""
    default_ttl_ms: int = 0
    """Milliseconds for results whose server says nothing; at 0 they are not kept."""
    clock: Callable[[], float] = time.time
    """The clock of the cache: returns seconds since the epoch."""
    share_public: bool = False
    """Whether what a server calls public is given to other partitions too: it is the
    server's word."""

    def __post_init__(self) -> None:
        if self.store is not None and not self.partition:
            raise ValueError("a store of your own needs a partition: say for whom results are kept")
        if self.target_id == "":
            raise ValueError("target_id must name the server, or be left out")
        if self.default_ttl_ms < 0:
            raise ValueError(f"default_ttl_ms must be >= 0, got {self.default_ttl_ms}")


class InMemoryResponseCacheStore:
    """Keeps results in this process; the one that was not used for longest goes first."""

    def __init__(self, max_entries: int = 1024) -> None:
        self._max = max_entries
        self._entries: OrderedDict[CacheKey, CacheEntry] = OrderedDict()

    async def get(self, key: CacheKey) -> CacheEntry | None:
        """The cached entry of a key, or `None`."""
        entry = self._entries.get(key)
        if entry is not None:
            self._entries.move_to_end(key)
        return entry

    async def set(self, key: CacheKey, entry: CacheEntry) -> None:
        """Store an entry under a key."""
        self._entries[key] = entry
        self._entries.move_to_end(key)
        while self._max and len(self._entries) > self._max:
            self._entries.popitem(last=False)

    async def delete(self, key: CacheKey) -> None:
        """Remove the entry of a key."""
        self._entries.pop(key, None)

    async def clear(self) -> None:
        """Remove all entries."""
        self._entries.clear()


# What a notification makes stale.
_EVICTS = {
    "notifications/tools/list_changed": ("tools/list",),
    "notifications/prompts/list_changed": ("prompts/list",),
    "notifications/resources/list_changed": ("resources/list", "resources/templates/list"),
}


class ResponseCache:
    """The cache of a client's results."""

    def __init__(self, config: CacheConfig, target: str) -> None:
        self._config = config
        self._store: ResponseCacheStore = config.store or InMemoryResponseCacheStore()
        self._own = f"{target}\0{config.partition}"
        self._shared = f"{target}\0" if config.share_public else None
        # Counts what became stale: a result asked for before that is not kept.
        self._changes = 0

    async def through(self, method: str, params_key: str, mode: CacheMode, ask: Callable[[], Awaitable[Any]]) -> Any:
        """A result: the kept one if it is good, else the server's."""
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
        """Forget what a notification makes stale."""
        keys = [CacheKey(name) for name in _EVICTS.get(method, ())]
        if method == "notifications/resources/updated" and isinstance(params, dict):
            keys = [CacheKey("resources/read", str(params.get("uri")))]  # pyright: ignore
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
