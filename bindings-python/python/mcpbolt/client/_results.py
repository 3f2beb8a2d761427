"""Results of tools as models.

Owns: a short way for text, which is what most tools answer. What is invalid, and why, is
said by the model alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from .. import types

if TYPE_CHECKING:
    from ..types import CallToolResult


def call_tool_result(answer: dict[str, Any]) -> CallToolResult:
    """What `CallToolResult.model_validate` makes of an answer.

    Raises:
        ValidationError: The text is not such a result.
    """
    blocks = answer.get("content")
    if isinstance(blocks, list):
        # The model tries every kind of content on every block, and weighs what fits.
        answer = {**answer, "content": [_block(block) for block in blocks]}  # pyright: ignore
    return types.CallToolResult.model_validate(answer)


def _block(block: Any) -> Any:
    if not isinstance(block, dict) or cast("dict[str, Any]", block).get("type") != "text":
        return cast("Any", block)
    try:
        return types.TextContent.model_validate(block)
    except ValueError:
        return cast("Any", block)
