"""The sessions that are measured, while they last.

Owns: when each began, if the program has turned OpenTelemetry on by then. Must not know: what
is recorded; `durations` does, which only then is imported.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING

from . import otel

if TYPE_CHECKING:
    from .durations import Side


class Lasting:
    """The sessions of one side, by the numbers of their connections."""

    def __init__(self, side: Side) -> None:
        self._side: Side = side
        self._begun: dict[int, tuple[float, str | None]] = {}

    def begin(self, number: int, revision: Callable[[], str | None]) -> None:
        """Measure a session from now on. One that is measured already goes on."""
        if otel.measures():
            self._begun.setdefault(number, (perf_counter(), revision()))

    def end(self, number: int, failure: str | None = None) -> None:
        """Record a session that is over, and the kind of error that ended it; none if one side
        closed it. Only the first time counts.
        """
        begun = self._begun.pop(number, None)
        if begun is not None:
            from .durations import record_session

            record_session(self._side, *begun, None if failure == "closed" else failure)

    def end_all(self) -> None:
        """Record all that still last."""
        for number in list(self._begun):
            self.end(number)
