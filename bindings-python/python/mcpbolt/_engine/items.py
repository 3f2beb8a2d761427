"""What the engine hands out, with names for its members.

Owns: the kinds of items that travel through several functions. The others are unpacked where
they are read. Must not know: who handles an item.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple, cast

Item = tuple[Any, ...]
"""Any item as the engine hands it out: its kind, then its members."""

Row = tuple[Any, ...]
"""What completes a call: `(call, JSON text)` or `(call, None, kind, code, message, data)`."""

Hearers = dict[str, Callable[[Any], None]]
"""What hears of a request of our own under way, by kinds of items: of `progress` its reports, of
`sent` the JSON-RPC id of each round of questions, of `event_id` after which events its stream can
be resumed."""

WANTED: dict[str, str] = {"progress": "progress", "sent": "sent", "event_id": "event_ids"}
"""By these kinds, the options of a request that ask for them."""


class RequestItem(NamedTuple):
    """A request to answer."""

    kind: str
    call: int
    connection: int
    cause: int
    method: str
    name: str | None
    """The tool, prompt or resource that it names."""
    params: Any
    invalid: Any
    """What the engine found wrong with the arguments of a tool that it validates."""


class NotificationItem(NamedTuple):
    """A notification of the peer."""

    kind: str
    connection: int
    cause: int
    method: str
    params: Any


class ResponseItem(NamedTuple):
    """The answer to a request of our own."""

    kind: str
    id: int
    call: int | None
    cause: int | None
    result: Any
    failure: Any
    """Kind, code, message and data of the error, in place of a result."""


def _maker(kind: Any) -> Any:
    # Without the checks of the class itself: the engine's items have these members.
    return partial(cast("Any", tuple).__new__, kind)


as_request: Callable[[Iterable[Any]], RequestItem] = _maker(RequestItem)
as_notification: Callable[[Iterable[Any]], NotificationItem] = _maker(NotificationItem)
as_response: Callable[[Iterable[Any]], ResponseItem] = _maker(ResponseItem)
