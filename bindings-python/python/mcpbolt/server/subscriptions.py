"""Telling clients about changes: a bus on which a program publishes them, as in 2.x.

Owns: the bus, and the handler of `subscriptions/listen` for servers that answer it themselves.
Must not know: which servers do. For the others the engine knows which client wants which
changes; a server with a bus subscribes to it and lets the engine notify the clients.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

import anyio
import anyio.lowlevel

from .._engine.json import model_dict
from ..shared.exceptions import McpError
from ..shared.subscriptions import (
    SUBSCRIPTION_ID_META_KEY,
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ServerEvent,
    ToolsListChanged,
    notification_of,
)
from ._error_responses import INTERNAL_ERROR, INVALID_REQUEST

if TYPE_CHECKING:
    from ..types import SubscriptionsListenResult
    from .context import ServerRequestContext

__all__ = [
    "SUBSCRIPTION_ID_META_KEY",
    "InMemorySubscriptionBus",
    "ListenHandler",
    "PromptsListChanged",
    "ResourceUpdated",
    "ResourcesListChanged",
    "ServerEvent",
    "SubscriptionBus",
    "ToolsListChanged",
]

logger: logging.Logger = logging.getLogger("mcp.server.subscriptions")

# What a filter calls the kinds of changes.
_URIS = "resourceSubscriptions"
_KINDS: dict[type, str] = {
    ToolsListChanged: "toolsListChanged",
    PromptsListChanged: "promptsListChanged",
    ResourcesListChanged: "resourcesListChanged",
}
# The models of what is sent on a subscription, by method.
_MODELS = {
    "notifications/prompts/list_changed": "PromptListChangedNotification",
    "notifications/resources/list_changed": "ResourceListChangedNotification",
    "notifications/resources/updated": "ResourceUpdatedNotification",
    "notifications/subscriptions/acknowledged": "SubscriptionsAcknowledgedNotification",
    "notifications/tools/list_changed": "ToolListChangedNotification",
}


class SubscriptionBus(Protocol):
    """Delivers published changes to servers, which notify their clients. A bus that is built
    on a message broker connects several processes.
    """

    async def publish(self, event: ServerEvent) -> None:
        """Deliver a change to all subscribers.

        Args:
            event: The change.
        """
        ...

    def subscribe(self, listener: Callable[[ServerEvent], None]) -> Callable[[], None]:
        """Call a function with each change, on the event loop. Returns a function that stops
        this.

        Args:
            listener: Called with each change; must not block.
        """
        ...


class InMemorySubscriptionBus:
    """A bus within this process."""

    def __init__(self) -> None:
        self._listeners: dict[int, Callable[[ServerEvent], None]] = {}
        self._last = 0

    async def publish(self, event: ServerEvent) -> None:
        """Deliver a change to all subscribers. If one of them fails, the others still get it.

        Args:
            event: The change.
        """
        for listener in list(self._listeners.values()):
            try:
                listener(event)
            except Exception:
                logger.exception("A listener failed on %r", event)
        # Between two changes clients can be told of the first.
        await anyio.lowlevel.checkpoint()

    def subscribe(self, listener: Callable[[ServerEvent], None]) -> Callable[[], None]:
        """Call a function with each change. Returns a function that stops this.

        Args:
            listener: Called with each change; must not block.
        """
        self._last += 1
        number = self._last
        self._listeners[number] = listener

        def end() -> None:
            self._listeners.pop(number, None)

        return end


class ListenHandler:
    """The handler of `subscriptions/listen` (2026-07-28) that notifies clients of the changes that
    are published on a bus. Pass it to `Server` as `on_subscriptions_listen=`.

    Each call serves one subscription, until the client leaves or `close` is called. A function with
    the same parameters may wrap it, for example to check who subscribes.

    Args:
        bus: The bus on which the program publishes changes.
        max_subscriptions: How many subscriptions may be open at a time; further ones are refused
            with -32603. Default: 1024.
        max_buffered_events: How many changes may wait for a client that reads slowly. With more, its
            subscription ends, and it can subscribe again. Default: 1024.
    """

    def __init__(
        self, bus: SubscriptionBus, *, max_subscriptions: int = 1024, max_buffered_events: int = 1024
    ) -> None:
        self.bus = bus
        self._max_subscriptions = max_subscriptions
        self._max_buffered_events = max_buffered_events
        self._open: set[_Backlog] = set()

    async def __call__(self, ctx: ServerRequestContext[Any, Any], params: Any) -> SubscriptionsListenResult:
        """Serve one subscription.

        Raises:
            MCPError: Too many subscriptions are open, or the message has no request id.
        """
        from ..types import SubscriptionsListenResult

        number = ctx.request_id
        if number is None:
            raise McpError(INVALID_REQUEST, "subscriptions/listen requires a request id")
        if len(self._open) >= self._max_subscriptions:
            raise McpError(INTERNAL_ERROR, "Subscription limit reached")
        tag = {SUBSCRIPTION_ID_META_KEY: number}
        honoured = _honoured(model_dict(params).get("notifications", {}))
        backlog = _Backlog(honoured, self._max_buffered_events)
        tell = partial(_tell, ctx.session, number)

        def deliver(event: ServerEvent) -> None:
            if not backlog.put(event):
                logger.warning("A client reads its subscription too slowly: the subscription ends")
                # A new one may open although this one may still wait for its client.
                self._open.discard(backlog)

        # Before the acknowledgement, so that no change falls between the two.
        end = self.bus.subscribe(deliver)
        self._open.add(backlog)
        try:
            await tell("notifications/subscriptions/acknowledged", {"notifications": honoured, "_meta": tag})
            while (event := await backlog.next()) is not None:
                method, members = notification_of(event)
                await tell(method, {**(members or {}), "_meta": tag})
        finally:
            self._open.discard(backlog)
            backlog.close()
            try:
                end()
            except Exception:
                logger.exception("The bus failed to end a subscription")
        return SubscriptionsListenResult.model_validate({"_meta": tag})

    def close(self) -> None:
        """End all subscriptions, after the changes that were published before. Returns at once."""
        for backlog in list(self._open):
            backlog.close()


class _Backlog:
    """The changes that wait to be told to one client."""

    def __init__(self, honoured: dict[str, Any], most: int) -> None:
        self._honoured = honoured
        self._most = most
        self._waiting: deque[ServerEvent] = deque()
        self._over = False
        self._more = anyio.Event()

    def put(self, event: ServerEvent) -> bool:
        """Keep a change if the client asked for it; `False` if too many wait."""
        if self._over or not _is_wanted(event, self._honoured):
            return True
        if len(self._waiting) >= self._most:
            self.close()
            return False
        self._waiting.append(event)
        self._more.set()
        return True

    def close(self) -> None:
        """Let `next` end after what waits."""
        self._over = True
        self._more.set()

    async def next(self) -> ServerEvent | None:
        """The next change, as soon as there is one; `None` after the last."""
        while not self._waiting and not self._over:
            self._more = anyio.Event()
            await self._more.wait()
        return self._waiting.popleft() if self._waiting else None


async def _tell(session: Any, number: Any, method: str, params: dict[str, Any]) -> None:
    """Send a notification on the stream of a subscription."""
    from .session import ServerSession

    if isinstance(session, ServerSession):
        # Without a model, so that URIs stay as they were published.
        await session._tell(method, params, number)  # pyright: ignore[reportPrivateUsage]
        return
    from .. import types

    model: Any = getattr(types, _MODELS[method])
    await session.send_notification(model.model_validate({"method": method, "params": params}), number)


def _honoured(asked: dict[str, Any]) -> dict[str, Any]:
    """What of a filter is told: all that is asked for."""
    return {kind: wanted for kind, wanted in asked.items() if wanted and kind in (*_KINDS.values(), _URIS)}


def _is_wanted(event: ServerEvent, honoured: dict[str, Any]) -> bool:
    if isinstance(event, ResourceUpdated):
        return event.uri in honoured.get(_URIS, ())
    return _KINDS[type(event)] in honoured
