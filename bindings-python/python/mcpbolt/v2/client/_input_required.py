"""Answering what a server asks, round by round, for programs that drive calls themselves.

Owns: the rounds, and when they are too many. Must not know: how a call is sent, and who answers
a question.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, cast

import anyio

from ...shared.exceptions import MCPError

__all__ = ["DEFAULT_INPUT_REQUIRED_MAX_ROUNDS", "InputRequiredRoundsExceededError", "run_input_required_driver"]

DEFAULT_INPUT_REQUIRED_MAX_ROUNDS = 10
"""How often a call may come back with questions, unless the client says otherwise."""

# How long to wait before a call is repeated that came back with a state and no question.
_FIRST_PAUSE = 0.05
_LONGEST_PAUSE = 0.25

ResultT = TypeVar("ResultT")


class InputRequiredRoundsExceededError(RuntimeError):
    """A call was answered with questions more often than `input_required_max_rounds` allows.

    Args:
        max_rounds: How many rounds there were.
    """

    def __init__(self, max_rounds: int) -> None:
        super().__init__(f"server still answers input_required after {max_rounds} rounds")
        self.max_rounds = max_rounds


async def run_input_required_driver(
    first: Any,
    *,
    dispatch: Callable[[str, Any], Awaitable[Any]],
    retry: Callable[[Any, str | None], Awaitable[ResultT | Any]],
    max_rounds: int = DEFAULT_INPUT_REQUIRED_MAX_ROUNDS,
) -> ResultT:
    """Answer questions and repeat the call until there is a result.

    Args:
        first: What the call was answered with.
        dispatch: Answers one question, given its key and the request. `ErrorData` ends the call.
        retry: Repeats the call, given the answers by key, or `None`, and the state.
        max_rounds: How often it is repeated at most.

    Raises:
        InputRequiredRoundsExceededError: There was no result by then.
        MCPError: A question was answered with `ErrorData`.
    """
    from ..types import InputRequiredResult

    current, pause, rounds = first, _FIRST_PAUSE, 0
    while isinstance(current, InputRequiredResult):
        rounds += 1
        if rounds > max_rounds:
            raise InputRequiredRoundsExceededError(max_rounds)
        answers: Any = None
        if current.input_requests:
            pause = _FIRST_PAUSE
            answers = await _answered(current.input_requests, dispatch)
        else:
            await anyio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
        current = await retry(answers, current.request_state)
    found: Any = current
    return found  # type: ignore[no-any-return]


async def _answered(questions: dict[str, Any], dispatch: Callable[[str, Any], Awaitable[Any]]) -> dict[str, Any]:
    """All answers, asked for at the same time; the first refusal ends the others."""
    from ..types import ErrorData

    answers: dict[str, Any] = {}
    refusals: list[ErrorData] = []
    async with anyio.create_task_group() as group:

        async def ask(key: str, question: Any) -> None:
            answer = await dispatch(key, question)
            if isinstance(answer, ErrorData):
                refusals.append(answer)
                group.cancel_scope.cancel()
            else:
                answers[key] = answer

        for key, question in questions.items():
            group.start_soon(ask, key, question)
    if refusals:
        raise MCPError.from_error_data(cast("Any", refusals[0]))
    return answers
