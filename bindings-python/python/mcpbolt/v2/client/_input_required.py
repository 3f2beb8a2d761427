"""When a client gives up answering what a server asks.

Owns: the error. Must not know: how questions are answered.
"""

from __future__ import annotations


class InputRequiredRoundsExceededError(RuntimeError):
    """A call was answered with questions more often than `input_required_max_rounds` allows."""

    def __init__(self, max_rounds: int) -> None:
        super().__init__(f"server still answers input_required after {max_rounds} rounds")
        self.max_rounds = max_rounds
