"""Listening for changes: `subscriptions/listen` of the modern era.

Owns: one open stream of changes, from the acknowledgement to its end. Must not know: how
the server is reached.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, cast

from anyio import Event, fail_after

from .._json import dumps
from ..shared.exceptions import McpError, from_failure
from ..shared.subscriptions import (
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ServerEvent,
    ToolsListChanged,
    event_of,
)

if TYPE_CHECKING:
    from .._loop import Item
    from ..types import SubscriptionFilter
    from .session import ClientSession

__all__ = [
    "ListenNotSupportedError",
    "OnEvent",
    "PromptsListChanged",
    "ResourceUpdated",
    "ResourcesListChanged",
    "ServerEvent",
    "Subscription",
    "SubscriptionLost",
    "ToolsListChanged",
    "listen",
]

ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
# Changes a program has not taken, beyond which the stream is given up: each says only
# that something is to be read again, and the same one waits once.
MAX_PENDING = 1024
# Longest wait for a server to acknowledge, where the session has no limit of its own.
ACKNOWLEDGE_SECONDS = 60.0


OnEvent = Callable[[ServerEvent], Awaitable[None]]
"""Is told of a change before the listeners are."""


class ListenNotSupportedError(RuntimeError):
    """The revision that was agreed on has no `subscriptions/listen`."""

    def __init__(self, negotiated_version: str | None) -> None:
        self.negotiated_version = negotiated_version
        super().__init__(
            f"there is no subscriptions/listen in {negotiated_version}: it came with 2026-07-28. "
            "Before, use subscribe_resource() and a message_handler"
        )


class SubscriptionLost(RuntimeError):
    """The stream ended and the server did not end it: listen again, and read again what
    depends on it.
    """


class Subscription:
    """One open stream of changes; iterate over it. A change that waits already is not
    queued twice. The loop ends when the server ends the stream.
    """

    def __init__(self, on_event: OnEvent | None = None) -> None:
        self._on_event = on_event
        self.honored: SubscriptionFilter = cast("SubscriptionFilter", None)
        """What the server agreed to tell."""
        self.subscription_id: str | int | None = None
        """What the server calls the stream."""
        self._pending: dict[ServerEvent, None] = {}
        self._wake = Event()
        self._acknowledged = Event()
        self._over = False
        self._error: Exception | None = None

    def __aiter__(self) -> Subscription:
        return self

    async def __anext__(self) -> ServerEvent:
        """The next change.

        Raises:
            SubscriptionLost: The stream ended, and not by the server's wish.
        """
        while not self._pending and not self._over:
            self._wake = Event()
            await self._wake.wait()
        if self._pending:
            event = next(iter(self._pending))
            if self._on_event is not None:
                # It stays until this is done: a caller that gives up here gets it again.
                await self._on_event(event)
            self._pending.pop(event, None)
            return event
        if self._error is not None:
            raise SubscriptionLost("the stream of changes broke: listen again, and read again") from self._error
        raise StopAsyncIteration

    def take(self, method: str, params: Any) -> None:
        """Take a notification that came on the stream."""
        if method == ACKNOWLEDGED:
            self._acknowledge(params or {})
            return
        event = event_of(method, params)
        if event is None or self._over:
            return
        if event not in self._pending and len(self._pending) >= MAX_PENDING:
            self.end(McpError(-32603, f"more than {MAX_PENDING} changes wait: take them faster"))
            return
        self._pending[event] = None
        self._wake.set()

    def _acknowledge(self, params: dict[str, Any]) -> None:
        from ..types import SubscriptionFilter

        self.honored = SubscriptionFilter.model_validate(params.get("notifications") or {})
        meta: dict[str, Any] = params.get("_meta") or {}
        self.subscription_id = meta.get("io.modelcontextprotocol/subscriptionId")
        self._acknowledged.set()

    def end(self, error: Exception | None) -> None:
        """The stream is over; without an error by the server's wish."""
        if not self._over:
            self._over, self._error = True, error
        self._wake.set()
        self._acknowledged.set()

    async def opened(self, limit: float | None) -> None:
        """Wait for the acknowledgement.

        Raises:
            McpError: The server refused.
            SubscriptionLost: The stream ended first.
            TimeoutError: It did not come in time.
        """
        with fail_after(ACKNOWLEDGE_SECONDS if limit is None else limit):
            await self._acknowledged.wait()
        if self._error is not None:
            raise self._error
        if self.honored is None:  # pyright: ignore[reportUnnecessaryComparison]
            self._acknowledge({})


@asynccontextmanager
async def listen(
    session: ClientSession,
    *,
    tools_list_changed: bool = False,
    prompts_list_changed: bool = False,
    resources_list_changed: bool = False,
    resource_subscriptions: Sequence[str] = (),
    on_event: OnEvent | None = None,
) -> AsyncGenerator[Subscription, None]:
    """Listen for changes until this is left.

    Args:
        session: An open session.
        tools_list_changed: Whether to be told that there are other tools.
        prompts_list_changed: The same of prompts.
        resources_list_changed: The same of resources and templates.
        resource_subscriptions: Resources whose changes are wanted, and those below them.
        on_event: Awaited with each change before it is handed over.

    Raises:
        ListenNotSupportedError: The connection is of the legacy era.
        McpError: The server refused.
    """
    if isinstance(resource_subscriptions, str):
        raise TypeError("resource_subscriptions takes a sequence of URIs, not one text")
    if not session.is_modern:
        raise ListenNotSupportedError(session.protocol_version)
    wanted: dict[str, Any] = {
        "toolsListChanged": tools_list_changed,
        "promptsListChanged": prompts_list_changed,
        "resourcesListChanged": resources_list_changed,
        "resourceSubscriptions": list(resource_subscriptions),
    }
    filters = {name: value for name, value in wanted.items() if value}
    subscription = Subscription(on_event)
    stop = session.open_stream(
        "subscriptions/listen", dumps({"notifications": filters}), subscription.take, _ended(subscription)
    )
    try:
        await subscription.opened(session.limit)
        yield subscription
    finally:
        stop()
        subscription.end(None)


def _ended(subscription: Subscription) -> Callable[[Item], None]:
    def end(item: Item) -> None:
        subscription.end(None if item[5] is None else from_failure(item[5]))

    return end
