"""Telling clients of changes: a bus that a program publishes on, as 2.x has it.

Owns: the bus. The engine answers `subscriptions/listen` and knows who wants what; a
server with a bus listens to it and has the engine tell.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Protocol

from ..shared.subscriptions import (
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ServerEvent,
    ToolsListChanged,
)

__all__ = [
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


class SubscriptionBus(Protocol):
    """Carries changes from who publishes them to the servers that tell them; one made
    over a message broker connects several processes.
    """

    async def publish(self, event: ServerEvent) -> None:
        """Hand a change to everybody who listens."""
        ...

    def subscribe(self, listener: Callable[[ServerEvent], None]) -> Callable[[], None]:
        """Have a function called with each change, on the loop; what it returns ends that."""
        ...


class InMemorySubscriptionBus:
    """A bus within this process."""

    def __init__(self) -> None:
        self._listeners: dict[int, Callable[[ServerEvent], None]] = {}
        self._last = 0

    async def publish(self, event: ServerEvent) -> None:
        """Hand a change to everybody who listens; one that fails does not stop the others."""
        for listener in list(self._listeners.values()):
            try:
                listener(event)
            except Exception:
                logger.exception("A listener failed on %r", event)

    def subscribe(self, listener: Callable[[ServerEvent], None]) -> Callable[[], None]:
        """Have a function called with each change; what it returns ends that."""
        self._last += 1
        number = self._last
        self._listeners[number] = listener

        def end() -> None:
            self._listeners.pop(number, None)

        return end


class ListenHandler:
    """Given as `on_subscriptions_listen=`, has a server tell what is published on a bus."""

    def __init__(self, bus: SubscriptionBus) -> None:
        self.bus = bus
