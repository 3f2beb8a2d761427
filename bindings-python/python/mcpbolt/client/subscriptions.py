"""Listening for changes: `subscriptions/listen` of the modern era.

Owns: one open stream, from the acknowledgement to its end, and the changes that are told on it.
Must not know: how the server is reached.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from anyio import Event, fail_after

from .._engine.json import dumps
from .._engine.protocol import MODERN_REVISIONS
from ..shared.exceptions import McpError, from_failure
from ..shared.subscriptions import (
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ServerEvent,
    ToolsListChanged,
    event_of,
)
from ._watching import ACKNOWLEDGE_SECONDS, ACKNOWLEDGED

if TYPE_CHECKING:
    from .._engine.items import ResponseItem
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

# If more changes than this wait to be read, the stream is given up. Equal changes wait only
# once, since each says only that something should be read again.
MAX_PENDING = 1024

OnEvent = Callable[[ServerEvent], Awaitable[None]]
"""A function that is awaited with each change before the iterating code gets it."""


class ListenNotSupportedError(RuntimeError):
    """The connection's revision has no `subscriptions/listen`.

    Args:
        negotiated_version: The revision of the connection; `None` if there is none yet.
    """

    def __init__(self, negotiated_version: str | None) -> None:
        self.negotiated_version = negotiated_version
        super().__init__(
            f"there is no subscriptions/listen in {negotiated_version}: it came with {MODERN_REVISIONS[0]}. "
            "Before, use subscribe_resource() and a message_handler"
        )


class SubscriptionLost(RuntimeError):
    """The stream of changes broke, so changes may be missed. Listen again, and read again what
    depends on the changes.
    """


class Listened(ABC):
    """An open stream of `subscriptions/listen`."""

    _broke: ClassVar[str]

    def __init__(self) -> None:
        self._pending: dict[Any, Any] = {}
        self._wake = Event()
        self._acknowledged = Event()
        self._over = False
        self._error: Exception | None = None

    async def _waiting(self) -> None:
        """Wait until there is something to read.

        Raises:
            SubscriptionLost: The stream broke.
            StopAsyncIteration: The stream ended, and everything was read.
        """
        while not self._pending and not self._over:
            self._wake = Event()
            await self._wake.wait()
        if self._pending:
            return
        if self._error is not None:
            raise SubscriptionLost(self._broke) from self._error
        raise StopAsyncIteration

    @abstractmethod
    def take(self, method: str, params: Any) -> None:
        """Handle a notification that came on the stream.

        Args:
            method: The method.
            params: The params.
        """

    def end(self, error: Exception | None) -> None:
        """End the stream: with an error, or with `None` if the server or the program ended it. Only
        the first call counts.

        Args:
            error: The error, if any.
        """
        if not self._over:
            self._over, self._error = True, error
        self._wake.set()
        self._acknowledged.set()

    async def opened(self, limit: float | None) -> None:
        """Wait for the server's acknowledgement.

        Args:
            limit: Longest wait in seconds; `None` for 60 seconds.

        Raises:
            McpError: The server refused.
            TimeoutError: The server did not acknowledge in time.
        """
        with fail_after(ACKNOWLEDGE_SECONDS if limit is None else limit):
            await self._acknowledged.wait()
        if self._error is not None:
            raise self._error


ListenedT = TypeVar("ListenedT", bound=Listened)


@asynccontextmanager
async def listening(
    session: ClientSession, stream: ListenedT, notifications: Mapping[str, Any], *, keep: bool = False
) -> AsyncGenerator[ListenedT, None]:
    """Keep a stream of `subscriptions/listen` open while the context is.

    Args:
        session: An open session.
        stream: Handles the notifications on the stream.
        notifications: The notifications to ask the server for, as on the wire.
        keep: Whether the engine listens again whenever the stream ends. Everything then counts as
            changed. Default: no.

    Raises:
        ListenNotSupportedError: The connection uses an older revision than 2026-07-28.
        McpError: The server refused.
        TimeoutError: The server did not acknowledge in time.
    """
    if not session.is_modern:
        raise ListenNotSupportedError(session.protocol_version)

    def ended(item: ResponseItem) -> None:
        stream.end(None if item.failure is None else from_failure(item.failure))

    params = dumps({"notifications": notifications})
    stop = session.open_stream("subscriptions/listen", params, stream.take, ended, keep=keep)
    try:
        await stream.opened(session.limit)
        yield stream
    finally:
        stop()
        stream.end(None)


class Subscription(Listened):
    """An open stream of changes; iterate over it with `async for`.

    A change that already waits to be read is not queued a second time. The loop ends when the
    server ends the stream.

    Args:
        on_event: Awaited with each change before the iterating code gets it. Default: none.
    """

    _broke = "the stream of changes broke: listen again, and read again"

    def __init__(self, on_event: OnEvent | None = None) -> None:
        super().__init__()
        self._on_event = on_event
        self.honored: SubscriptionFilter = cast("SubscriptionFilter", None)
        """The part of the requested subscription that the server agreed to."""
        self.subscription_id: str | int | None = None
        """The server's id for the stream."""

    def __aiter__(self) -> Subscription:
        return self

    async def __anext__(self) -> ServerEvent:
        """Wait for the next change.

        Raises:
            SubscriptionLost: The stream broke.
        """
        await self._waiting()
        event: ServerEvent = next(iter(self._pending))
        if self._on_event is not None:
            # The change stays queued until this returns, so that it is not lost if the
            # caller is cancelled here.
            await self._on_event(event)
        self._pending.pop(event, None)
        return event

    def take(self, method: str, params: Any) -> None:
        """Handle a notification that came on the stream.

        Args:
            method: The method.
            params: The params.
        """
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

    async def opened(self, limit: float | None) -> None:
        """Wait for the server's acknowledgement. If the stream ends without one, `honored` is empty.

        Args:
            limit: Longest wait in seconds; `None` for 60 seconds.

        Raises:
            McpError: The server refused.
            TimeoutError: The server did not acknowledge in time.
        """
        await super().opened(limit)
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
    """Listen for changes on the server while the context is open (2026-07-28).

    Args:
        session: An open session.
        tools_list_changed: Whether to report changes of the list of tools. Default: no.
        prompts_list_changed: Whether to report changes of the list of prompts. Default: no.
        resources_list_changed: Whether to report changes of the lists of resources and of
            resource templates. Default: no.
        resource_subscriptions: URIs of resources whose changes to report; servers may report
            changes of resources below them too. Default: none.
        on_event: Awaited with each change before the iterating code gets it. Default: none.

    Raises:
        ListenNotSupportedError: The connection uses an older revision.
        McpError: The server refused.
        TimeoutError: The server did not acknowledge in time.
    """
    if isinstance(resource_subscriptions, str):
        raise TypeError("resource_subscriptions takes a sequence of URIs, not one text")
    wanted: dict[str, Any] = {
        "toolsListChanged": tools_list_changed,
        "promptsListChanged": prompts_list_changed,
        "resourcesListChanged": resources_list_changed,
        "resourceSubscriptions": list(resource_subscriptions),
    }
    filters = {name: value for name, value in wanted.items() if value}
    async with listening(session, Subscription(on_event), filters) as subscription:
        yield subscription
