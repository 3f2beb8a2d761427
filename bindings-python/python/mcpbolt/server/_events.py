"""An event store of the program's behind the engine's resumable streams.

Owns: the two services the engine asks, in the words of `EventStore`. The engine knows
which event belongs to which session; the store keeps the messages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._json import dumps, model_dict

if TYPE_CHECKING:
    from .._loop import Driver
    from .streamable_http import EventMessage, EventStore

# Beginnings of streams that are remembered; stores hand out messages only.
MAX_BEGINNINGS = 10_000


class Events:
    """What the engine asks, answered by a store."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._beginnings: dict[str, str] = {}

    def serve(self, driver: Driver) -> None:
        """Answer the questions that come to a driver."""
        driver.services["events.store"] = self.keep
        driver.services["events.replay"] = self.replay

    async def keep(self, payload: dict[str, Any]) -> str:
        """Keep an event; its id, as JSON."""
        from ..types import JSONRPCMessage

        stream, message = payload["stream"], payload["message"]
        model = None if message is None else JSONRPCMessage.model_validate(message)
        event = str(await self._store.store_event(stream, model))
        if message is None:
            self._beginnings[event] = stream
            if len(self._beginnings) > MAX_BEGINNINGS:
                del self._beginnings[next(iter(self._beginnings))]
        return dumps(event)

    async def replay(self, payload: dict[str, Any]) -> str:
        """What came after an event in its stream, as JSON; `null` if the store does not
        know it.
        """
        rows: list[dict[str, Any]] = []

        async def send(event: EventMessage) -> None:
            rows.append({"id": event.event_id, "message": model_dict(event.message)})

        stream = await self._store.replay_events_after(payload["after"], send)
        if stream is None:
            return "null"
        rows += [{"id": event, "message": None} for event, its in self._beginnings.items() if its == stream]
        return dumps(rows)
