"""The program's event store behind the engine's resumable streams.

Owns: the two services that the engine calls, in terms of `EventStore`. The engine passes every
event to the store before it sends it, and knows which session each event belongs to.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Protocol

from .._engine.json import dumps, model_dict

if TYPE_CHECKING:
    from .._engine.driver import Driver


class Store(Protocol):
    """The program's store."""

    async def store_event(self, stream_id: str, message: Any) -> str:
        """Store a message, or with `None` the start of a stream; returns the event's id."""
        ...

    async def replay_events_after(
        self, last_event_id: str, send_callback: Callable[[Any], Awaitable[None]]
    ) -> str | None:
        """Send the events after one in its stream; returns the stream if it is known."""
        ...


class Events:
    """Answers the engine's services with a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def serve(self, driver: Driver) -> None:
        """Answer the services on a driver."""
        driver.services["events.store"] = self.keep
        driver.services["events.replay"] = self.replay

    async def keep(self, payload: dict[str, Any]) -> str:
        """Store an event; returns its id as JSON."""
        from ..types import JSONRPCMessage

        stream, message = payload["stream"], payload["message"]
        model = None if message is None else JSONRPCMessage.model_validate(message)
        return dumps(str(await self._store.store_event(stream, model)))

    async def replay(self, payload: dict[str, Any]) -> str:
        """The events after a given one in its stream, as JSON; `null` if the store does not
        know the event.
        """
        rows: list[dict[str, Any]] = []

        async def send(event: Any) -> None:
            rows.append({"id": event.event_id, "message": model_dict(event.message)})

        stream = await self._store.replay_events_after(payload["after"], send)
        return "null" if stream is None else dumps(rows)
