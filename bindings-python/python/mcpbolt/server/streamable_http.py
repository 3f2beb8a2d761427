"""What programs bring to resume streams of events."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..types import JSONRPCMessage

MCP_SESSION_ID_HEADER = "mcp-session-id"
MCP_PROTOCOL_VERSION_HEADER = "mcp-protocol-version"
LAST_EVENT_ID_HEADER = "last-event-id"

StreamId = str
EventId = str


@dataclass
class EventMessage:
    """A message that was kept, and the id it has in its stream."""

    message: JSONRPCMessage
    event_id: EventId | None = None


EventCallback = Callable[[EventMessage], Awaitable[None]]


class EventStore(ABC):
    """Keeps messages of streams, for clients that come back for what they missed."""

    @abstractmethod
    async def store_event(self, stream_id: StreamId, message: JSONRPCMessage | None) -> EventId:
        """Keep a message, or the start of a stream; returns its id."""

    @abstractmethod
    async def replay_events_after(self, last_event_id: EventId, send_callback: EventCallback) -> StreamId | None:
        """Hand over what came after an event; returns the stream, `None` if it is unknown."""
