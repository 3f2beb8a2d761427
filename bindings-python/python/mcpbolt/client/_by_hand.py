"""Questions of a server answered by the program itself, round by round.

Owns: what goes out with the answers and what comes back. Without it the callbacks of a
session answer, and the engine asks again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from .._json import dumps, model_dict

if TYPE_CHECKING:
    from pydantic import BaseModel

    from ..types import InputRequiredResult

Ask = Callable[[str, dict[str, Any]], Awaitable[Any]]
# Has the engine hand questions over as they are.
RAW: dict[str, Any] = {"input": "raw"}


class Round:
    """The program's part of one round of a request."""

    def __init__(self, responses: Mapping[str, Any] | None, state: str | None, allowed: bool) -> None:
        self._responses = responses
        self._state = state
        self._allowed = allowed

    @property
    def is_by_hand(self) -> bool:
        """Whether the program takes part at all."""
        return self._allowed or self._responses is not None or self._state is not None

    def params(self, params: dict[str, Any]) -> str:
        """The params with the answers, as JSON text."""
        found = dict(params)
        if self._responses is not None:
            found["inputResponses"] = {key: _values(answer) for key, answer in self._responses.items()}
        if self._state is not None:
            found["requestState"] = self._state
        return dumps(found)

    def result(self, answer: Any, kind: type[BaseModel]) -> Any:
        """The answer as a model: the result, or questions.

        Raises:
            RuntimeError: Questions, and the program does not want them.
        """
        if not isinstance(answer, dict) or answer.get("resultType") != "input_required":  # pyright: ignore
            return kind.model_validate(answer)
        if not self._allowed:
            raise RuntimeError("the server has questions: pass allow_input_required=True to get them")
        return questions(answer)


def questions(answer: Any) -> InputRequiredResult:
    """An answer that has questions."""
    from ..types import InputRequiredResult

    return InputRequiredResult.model_validate(answer)


def _values(answer: Any) -> Any:
    return model_dict(answer) if hasattr(answer, "model_dump") else answer
