"""A client's cache of results, with the coordinator that clients of 2.x may use themselves.

Owns: which entry answers a request, and what makes it stale. Must not know: how a store keeps
entries, and how requests are sent.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Literal

import anyio
import anyio.lowlevel

from ..._engine.json import model_dict
from ..._engine.protocol import MODERN_REVISIONS
from ...client.caching import (
    MAX_TTL_MS,
    CacheConfig,
    CacheEntry,
    CacheKey,
    CacheMode,
    InMemoryResponseCacheStore,
    ResponseCacheStore,
    evicted,
)

__all__ = [
    "MAX_TTL_MS",
    "CacheConfig",
    "CacheEntry",
    "CacheKey",
    "CacheMode",
    "ClientResponseCache",
    "InMemoryResponseCacheStore",
    "ResponseCacheStore",
]

logger: logging.Logger = logging.getLogger("mcp.client.caching")

Scope = Literal["public", "private"]
# Requests whose answer is on the way are remembered up to this many.
_MOST_WATCHED = 4096
# How long removing an entry may take before the client goes on, in seconds.
_LONGEST_CLEANUP = 5.0


class ClientResponseCache:
    """The cache of one client. Call `read` before a request, `capture` when it is sent, `write` with
    its result, and `evict_for_notification` with each notification.

    Args:
        store: The store of the entries.
        partition: A name of the user that private results belong to.
        arm_id: A name of the server, different for each server.
        default_ttl_ms: How long to cache results for which the server gives no time, in
            milliseconds; 0 for not at all.
        clock: Returns the current time in seconds since the epoch.
        share_public: Whether results that the server marks as public are shared with other
            partitions.
        negotiated_version: Returns the revision of the connection, or `None` before it is known.
        generation_map_cap: For how many requests to remember whether a notification made their
            results stale while they were on their way. Default: 4096.
        store_cleanup_timeout: How long removing entries may take, in seconds. Default: 5.
    """

    def __init__(
        self,
        *,
        store: ResponseCacheStore,
        partition: str,
        arm_id: str,
        default_ttl_ms: int,
        clock: Callable[[], float],
        share_public: bool,
        negotiated_version: Callable[[], str | None],
        generation_map_cap: int = _MOST_WATCHED,
        store_cleanup_timeout: float = _LONGEST_CLEANUP,
    ) -> None:
        self._store = store
        self._partition = partition
        self._arm_id = arm_id
        self._default_ttl_ms = default_ttl_ms
        self._clock = clock
        self._share_public = share_public
        self._negotiated_version = negotiated_version
        self._cap = generation_map_cap
        self._cleanup_timeout = store_cleanup_timeout
        # By request: how often it was made stale since it was first asked.
        self._generations: dict[tuple[str, str], int] = {}
        self._complained: set[str] = set()

    def _key(self, method: str, params_key: str, scope: Scope) -> CacheKey:
        # As JSON, so that no value can look like two. The revision is part of it, since what a
        # server says differs between eras.
        arm: list[str | None] = [scope, self._negotiated_version(), self._arm_id]
        if scope == "private" or not self._share_public:
            arm.append(self._partition)
        return CacheKey(method, params_key, json.dumps(arm))

    async def read(self, method: str, params_key: str) -> Any:
        """Return a copy of the valid cached result of a request; `None` if there is none.

        Args:
            method: The method.
            params_key: The part of the params that tells requests apart: the URI of
                `resources/read`, else empty.
        """
        # A loop that only finds valid entries must let other tasks run.
        await anyio.lowlevel.checkpoint()
        try:
            for scope in ("private", "public"):
                entry = await self._store.get(self._key(method, params_key, scope))
                is_valid = entry is not None and entry.expires_at is not None and entry.expires_at > self._clock()
                if entry is not None and is_valid and (scope == "private" or entry.scope == "public"):
                    found = entry.value.model_copy(deep=True)
                    self._complained.discard("get")
                    return found
        except Exception:
            self._complain("get")
            return None
        self._complained.discard("get")
        return None

    def capture(self, method: str, params_key: str) -> int:
        """Note that a request is about to be sent; `write` takes what this returns.

        Args:
            method: The method.
            params_key: The part of the params that tells requests apart: the URI of
                `resources/read`, else empty.
        """
        key = (method, params_key)
        if key not in self._generations:
            if len(self._generations) >= self._cap:
                del self._generations[next(iter(self._generations))]
            self._generations[key] = 0
        return self._generations[key]

    async def write(
        self, method: str, params_key: str, result: Any, gen_at_capture: int, mode: Literal["use", "refresh"]
    ) -> None:
        """Cache a result, unless a notification made it stale on its way.

        Args:
            method: The method.
            params_key: The part of the params that tells requests apart: the URI of
                `resources/read`, else empty.
            result: The result as a model.
            gen_at_capture: What `capture` returned.
            mode: The cache mode of the call. With `"refresh"`, a result that must not be cached
                removes an older entry.
        """
        if self._has_moved(method, params_key, gen_at_capture):
            return
        lifetime, scope = self._terms(result)
        private, public = (self._key(method, params_key, one) for one in ("private", "public"))
        if lifetime <= 0:
            if mode == "refresh":
                await self._remove(private, public)
            return
        own, other = (public, private) if scope == "public" else (private, public)
        # The other goes first: never may two entries answer one request.
        if not await self._try("delete", self._store.delete(other)):
            await self._remove(own)
            return
        entry = CacheEntry(result.model_copy(deep=True), scope, self._clock() + lifetime / 1000)
        try:
            if not await self._try("set", self._store.set(own, entry)):
                await self._remove(own)
        finally:
            if self._has_moved(method, params_key, gen_at_capture):
                await self._remove(own)

    async def evict_method(self, method: str) -> None:
        """Remove the entries of a method whose requests have no `params_key`, such as `tools/list`.

        Args:
            method: The method.
        """
        await self.evict_key(method, "")

    async def evict_key(self, method: str, params_key: str) -> None:
        """Remove the entries of a request.

        Args:
            method: The method.
            params_key: The part of the params that tells requests apart: the URI of
                `resources/read`, else empty.
        """
        if (method, params_key) in self._generations:
            self._generations[method, params_key] += 1
        await self._remove(self._key(method, params_key, "private"), self._key(method, params_key, "public"))

    async def evict_for_notification(self, notification: Any) -> None:
        """Remove the entries that a notification of the server makes stale.

        Args:
            notification: The notification.
        """
        message = model_dict(notification)
        for key in evicted(message.get("method", ""), message.get("params")):
            await self.evict_key(key.method, key.params_key)

    def _terms(self, result: Any) -> tuple[int, Scope]:
        """How long an answer may be kept, and for whom. Servers of the legacy era say neither."""
        is_modern = self._negotiated_version() in MODERN_REVISIONS
        said = is_modern and "ttl_ms" in result.model_fields_set
        lifetime = result.ttl_ms if said else self._default_ttl_ms
        scope: Scope = "public" if is_modern and result.cache_scope == "public" else "private"
        return min(lifetime, MAX_TTL_MS), scope

    def _has_moved(self, method: str, params_key: str, before: int) -> bool:
        return self._generations.get((method, params_key), before) != before

    async def _remove(self, *keys: CacheKey) -> None:
        # A task that is cancelled must not leave an entry that is stale.
        with anyio.move_on_after(self._cleanup_timeout, shield=True) as scope:
            for key in keys:
                await self._try("delete", self._store.delete(key))
        if scope.cancelled_caught:
            logger.warning("The store of cached results did not remove an entry in time; it ends with its lifetime")

    async def _try(self, what: str, work: Awaitable[None]) -> bool:
        try:
            await work
        except Exception:
            self._complain(what)
            return False
        self._complained.discard(what)
        return True

    def _complain(self, what: str) -> None:
        """Log a fault of the store; only the first until it works again."""
        if what not in self._complained:
            self._complained.add(what)
            logger.warning("Response cache store operation failed; continuing without the cache", exc_info=True)
