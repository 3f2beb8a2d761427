"""What a driver needs of a host, and a host of the server it serves and of the face in front of
the program.

Owns: these interfaces. Must not know: what implements them.
"""

from __future__ import annotations

import contextvars
from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from .items import Item, NotificationItem, RequestItem, Row

# The host itself, which is made of what stands here.
ServerHost = Any


class Host(Protocol):
    """The server or client that handles the items of a connection."""

    context: contextvars.Context

    def run(self, item: RequestItem) -> Coroutine[Any, Any, None]:
        """Answer a request; the result is passed to `Driver.finish`."""
        ...

    def run_sync(self, item: RequestItem) -> Row:
        """Answer a request on a worker thread; returns the row that completes it."""
        ...

    def notified(self, item: NotificationItem) -> Coroutine[Any, Any, None] | None:
        """Handle a notification. A coroutine that is returned runs as a task."""
        ...

    def event(self, item: Item) -> None:
        """Handle any other item of a connection."""
        ...


class Table(Protocol):
    """The handlers of a server by method."""

    def methods(self) -> list[str]:
        """The methods that have a handler."""
        ...

    def of(self, method: str) -> Callable[..., Any] | None:
        """The handler of a method."""
        ...

    def has(self, method: str) -> bool:
        """Whether a method has a handler."""
        ...


class Registry(Protocol):
    """A server: its handlers, its lists and its settings."""

    request_handlers: Any
    notification_handlers: Any
    hosts: list[Any]
    options: dict[str, Any]
    unknown_tool: str
    fast_path: bool
    guarding: Any
    provider: Any
    bus: Any
    middleware: Any
    hooks: Any
    extension_methods: list[dict[str, Any]]
    own_listen: Any
    refuses_listen: bool
    cache_hints: Any
    state_boundary: Any
    subscription_hooks: Any
    lifespan: Any

    @property
    def task_support(self) -> Any:
        """What the server runs tasks of 2025-11-25 with; `None` if they are not enabled."""
        ...

    @property
    def masked(self) -> bool:
        """Whether clients do not see the messages of unexpected exceptions."""
        ...

    @property
    def awaits_initialized(self) -> bool:
        """Whether a handler waits for clients to be ready."""
        ...

    def legacy_capabilities(self, capabilities: dict[str, Any]) -> dict[str, Any] | None:
        """What clients of the legacy era are told in place of these capabilities, if anything."""
        ...

    def create_initialization_options(self) -> Any:
        """What the server says of itself."""
        ...


class Live(Protocol):
    """One request while it is answered."""

    call: int
    item: RequestItem


class ServerFace(Protocol):
    """What the face of a server decides: contexts, answers, errors."""

    def error(self, error: Exception) -> Exception:
        """The exception for an error of the engine's functions."""
        ...

    def hints(self, server: Registry) -> dict[str, Any]:
        """What the engine is to add to cacheable answers."""
        ...

    def announcement(self, event: Any) -> tuple[str, str | None]:
        """A published change, and the URI it is about."""
        ...

    def engine_may_answer(self, server: Registry, method: str) -> bool | None:
        """Whether a handler lets the engine answer in its place; `None` if the lists decide."""
        ...

    def parse(self, host: ServerHost, method: str, params: Any) -> Any:
        """Parse a request into what its handler takes.

        Raises:
            ValueError: The params do not fit the method.
        """
        ...

    def live(self, host: ServerHost, item: RequestItem, /) -> Live:
        """The context of a request."""
        ...

    def session(self, host: ServerHost, connection: int) -> Any:
        """The session of a connection."""
        ...

    def answer(self, host: ServerHost, live: Live) -> Awaitable[Any]:
        """Answer a request with JSON text, or with questions to the client."""
        ...

    def answer_sync(self, host: ServerHost, live: Live, /) -> Any:
        """Answer a tool call on a worker thread."""
        ...

    def notified(self, host: ServerHost, item: NotificationItem) -> Coroutine[Any, Any, None] | None:
        """Handle a notification."""
        ...

    def questions(
        self, host: ServerHost, live: Live, answer: Any
    ) -> tuple[list[tuple[str, str, str | None]], str | None]:
        """Questions to the client by key, and the handler's state."""
        ...

    def failure(self, host: ServerHost, live: Live, error: BaseException) -> Row:
        """The row that completes a call with an exception."""
        ...

    def is_meant(self, error: BaseException) -> bool:
        """Whether a handler raised an exception for the client to see."""
        ...
