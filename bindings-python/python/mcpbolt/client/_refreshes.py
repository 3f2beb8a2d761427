"""When a list that its server says has changed is asked for again.

Owns: the pause between refreshes. Must not know: which list it is, how it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable

from anyio import current_time

# The shortest time between two refreshes, at first, and the longest of these times, in seconds.
# After the longest without a notice the first one counts again.
FIRST = 0.1
LONGEST = 4.0


class Refreshes:
    """The refreshes of one list. A server may say with each answer that it has changed again: then
    they become fewer and fewer.

    Args:
        clock: The time in seconds. Default: that of the event loop.
    """

    def __init__(self, clock: Callable[[], float] = current_time) -> None:
        self._clock = clock
        self._gap = FIRST
        # When the last one was over.
        self._last: float | None = None

    def due(self) -> float:
        """When the list may be asked for again, now that a notice has come."""
        now = self._clock()
        if self._last is None:
            return now
        since = now - self._last
        if since >= LONGEST:
            self._gap = FIRST
        gap = self._gap
        if since < gap:
            # Right behind the last one.
            self._gap = min(gap * 2, LONGEST)
        return max(now, self._last + gap)

    def done(self) -> None:
        """Note that a refresh is over, however it ended."""
        self._last = self._clock()
