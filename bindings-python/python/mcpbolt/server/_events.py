"""The program's event store behind the engine's resumable streams.

Owns: the two services that the engine calls, in terms of `EventStore`. The engine passes every
event to the store before it sends it, and knows which session each event belongs to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._engine.json import dumps, model_dict

if TYPE_CHECKING:
    from .._engine.driver import Driver
    from .streamable_http import EventMessage, EventStore

class Events:
    """Answers the engine's services with a store."""

    def __init__(self, store: EventStore) -> None:
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

        async def send(event: EventMessage) -> None:
            rows.append({"id": event.event_id, "message": model_dict(event.message)})

        stream = await self._store.replay_events_after(payload["after"], send)
        return "null" if stream is None else dumps(rows)
