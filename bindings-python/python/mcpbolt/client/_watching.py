"""Watching resources on the modern era: each has its own stream of changes, open for as long
as it is watched. Its notifications are handled like those of the legacy era. A stream that ends is
opened again, and then the resource counts as changed.

Owns: the open streams. Must not know: what a notification means; the session handles them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from anyio import Event, move_on_after

from .._engine.json import dumps
from ..shared.exceptions import from_failure

if TYPE_CHECKING:
    from collections.abc import Callable

    from .._engine.items import ResponseItem

ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
# Longest wait for the server's acknowledgement in seconds, if the session has no limit.
ACKNOWLEDGE_SECONDS = 60.0


class _Watch:
    """A watched resource."""

    def __init__(self) -> None:
        self.settled = Event()
        self.failure: tuple[str, int, str, Any] | None = None
        self.stop: Callable[[], None] | None = None


class Watching:
    """The resources that one session watches."""

    def __init__(self, session: Any) -> None:
        self._session = session
        self._watches: dict[str, _Watch] = {}

    async def watch(self, uri: str) -> None:
        """Watch a resource; returns when the server has agreed.

        Raises:
            McpError: The server refused, or the connection ended.
            TimeoutError: The server did not agree in time.
        """
        if uri in self._watches:
            return
        session = self._session
        watch = self._watches[uri] = _Watch()

        def take(method: str, params: Any) -> None:
            if method == ACKNOWLEDGED:
                watch.settled.set()
            else:
                session.show(method, params)

        def ended(item: ResponseItem) -> None:
            watch.failure = item.failure
            self._forget(uri, watch)
            watch.settled.set()

        params = dumps({"notifications": {"resourceSubscriptions": [uri]}})
        limit = ACKNOWLEDGE_SECONDS if session.limit is None else session.limit
        try:
            watch.stop = session.open_stream("subscriptions/listen", params, take, ended, keep=True)
            with move_on_after(limit) as patience:
                await watch.settled.wait()
            if patience.cancelled_caught:
                words = f"Timed out while waiting for the server to agree. Waited {limit} seconds."
                raise from_failure(("timeout", 408, words, None))
        except BaseException:
            self.unwatch(uri)
            raise
        if watch.failure is not None:
            raise from_failure(watch.failure)

    def _forget(self, uri: str, watch: _Watch) -> None:
        if self._watches.get(uri) is watch:
            del self._watches[uri]

    def unwatch(self, uri: str) -> None:
        """Stop watching a resource. Does nothing if it is not watched."""
        watch = self._watches.pop(uri, None)
        if watch is not None and watch.stop is not None:
            watch.stop()
