"""A server's questions that the program itself answers, round by round.

Owns: sending the answers and reading what comes back. Otherwise the callbacks of a session
answer, and the engine sends the request again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from .._engine.json import dumps, model_dict

if TYPE_CHECKING:
    from pydantic import BaseModel

    from ..types import InputRequiredResult

Ask = Callable[[str, dict[str, Any]], Awaitable[Any]]
# Makes the engine hand questions over instead of asking the callbacks.
RAW: dict[str, Any] = {"input": "raw"}


class Round:
    """The program's part in one round of a request."""

    def __init__(self, responses: Mapping[str, Any] | None, state: str | None, allowed: bool, models: Any = None) -> None:
        self._responses = responses
        self._state = state
        self._allowed = allowed
        self._models = models

    @property
    def is_by_hand(self) -> bool:
        """Whether the program takes part in this request at all."""
        return self._allowed or self._responses is not None or self._state is not None

    def params(self, params: dict[str, Any]) -> str:
        """The params with the program's answers, as JSON text."""
        found = dict(params)
        if self._responses is not None:
            found["inputResponses"] = {key: _values(answer) for key, answer in self._responses.items()}
        if self._state is not None:
            found["requestState"] = self._state
        return dumps(found)

    def result(self, answer: Any, kind: type[BaseModel]) -> Any:
        """Parse the server's answer as a model: the result, or its questions.

        Raises:
            RuntimeError: The answer has questions, and the program did not ask to get them.
        """
        if not isinstance(answer, dict) or answer.get("resultType") != "input_required":  # pyright: ignore
            return kind.model_validate(answer)
        if not self._allowed:
            raise RuntimeError("the server has questions: pass allow_input_required=True to get them")
        return questions(answer, self._models)


def questions(answer: Any, models: Any = None) -> InputRequiredResult:
    """Parse an answer that has questions."""
    if models is None:
        from .. import types as models

    found: InputRequiredResult = models.InputRequiredResult.model_validate(answer)
    return found


def _values(answer: Any) -> Any:
    return model_dict(answer) if hasattr(answer, "model_dump") else answer
