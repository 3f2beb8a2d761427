"""Telling clients about changes: a bus on which a program publishes them, as in 2.x.

Owns: the bus. The engine answers `subscriptions/listen` and knows which client wants which
changes; a server with a bus subscribes to it and lets the engine notify the clients.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Protocol

from ..shared.subscriptions import (
    SUBSCRIPTION_ID_META_KEY,
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ServerEvent,
    ToolsListChanged,
)

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


class SubscriptionBus(Protocol):
    """Delivers published changes to servers, which notify their clients. A bus that is built
    on a message broker connects several processes.
    """

    async def publish(self, event: ServerEvent) -> None:
        """Deliver a change to all subscribers."""
        ...

    def subscribe(self, listener: Callable[[ServerEvent], None]) -> Callable[[], None]:
        """Call a function with each change, on the event loop. Returns a function that ends
        that.
        """
        ...


class InMemorySubscriptionBus:
    """A bus within this process."""

    def __init__(self) -> None:
        self._listeners: dict[int, Callable[[ServerEvent], None]] = {}
        self._last = 0

    async def publish(self, event: ServerEvent) -> None:
        """Deliver a change to all subscribers. If one of them fails, the others still get it."""
        for listener in list(self._listeners.values()):
            try:
                listener(event)
            except Exception:
                logger.exception("A listener failed on %r", event)

    def subscribe(self, listener: Callable[[ServerEvent], None]) -> Callable[[], None]:
        """Call a function with each change. Returns a function that ends that."""
        self._last += 1
        number = self._last
        self._listeners[number] = listener

        def end() -> None:
            self._listeners.pop(number, None)

        return end


class ListenHandler:
    """Given as `on_subscriptions_listen=`, makes a server notify clients of changes published
    on a bus.
    """

    def __init__(self, bus: SubscriptionBus) -> None:
        self.bus = bus
