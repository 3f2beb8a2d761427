"""Results of tools as models.

Owns: a fast path for text, which is what most tools return. If a result is invalid, the model
itself reports why.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast


if TYPE_CHECKING:
    from ..types import CallToolResult


def call_tool_result(answer: dict[str, Any], models: Any) -> CallToolResult:
    """The same as `CallToolResult.model_validate(answer)` of these models, but faster.

    Raises:
        ValidationError: The answer is not a valid tool result.
    """
    blocks = answer.get("content")
    if isinstance(blocks, list):
        # Left alone, the model would try every kind of content on every block.
        answer = {**answer, "content": [_block(block, models) for block in blocks]}  # pyright: ignore
    found: CallToolResult = models.CallToolResult.model_validate(answer)
    return found


def refuse_kind(about: Any) -> None:
    """Raise the error of pydantic for a kind of result that is not known.

    Args:
        about: The data of the engine's error, with the `resultType`.

    Raises:
        ValidationError: Always.
    """
    from pydantic import TypeAdapter

    kinds: TypeAdapter[Any] = TypeAdapter(Literal["complete", "input_required"])
    known: dict[str, Any] = about or {}
    kinds.validate_python(known.get("resultType"))


def _block(block: Any, models: Any) -> Any:
    if not isinstance(block, dict) or cast("dict[str, Any]", block).get("type") != "text":
        return cast("Any", block)
    try:
        return models.TextContent.model_validate(block)
    except ValueError:
        return cast("Any", block)
