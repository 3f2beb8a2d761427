"""What a function returned, as content blocks.

Owns: which values are blocks already. Must not know: signatures.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, cast

from ..._engine import face


def to_content(result: Any) -> list[Any]:
    """Convert any result to content blocks: blocks are kept, lists are flattened, all other
    values become text.
    """
    from ...types import TextContent

    if result is None:
        return []
    block = _block(result)
    if block is not None:
        return [block]
    if isinstance(result, (list, tuple)):
        items = cast("Sequence[Any]", result)
        return [block for item in items for block in to_content(item)]
    if not isinstance(result, str):
        import pydantic_core

        result = pydantic_core.to_json(result, fallback=str, indent=2).decode()
    return [TextContent(type="text", text=result)]


def _block(result: Any) -> Any:
    if isinstance(result, (str, int, float, list, tuple, dict)):
        return None
    from ...types import AudioContent, EmbeddedResource, ImageContent, ResourceLink, TextContent
    from .media import Audio, Image

    if isinstance(result, (TextContent, ImageContent, AudioContent, ResourceLink, EmbeddedResource)):
        return result
    if isinstance(result, Image):
        return result.to_image_content()
    if isinstance(result, Audio):
        return result.to_audio_content()
    return None


def refuse_coroutine(result: Any) -> None:
    """Refuse the result of a function that forgot to await.

    Raises:
        TypeError: It is a coroutine.
    """
    if inspect.iscoroutine(result) and face.current.own_words:
        name = result.__qualname__
        result.close()
        raise TypeError(f"it returned the coroutine of {name}(), which nobody awaited: did you forget await?")


def is_final(result: Any) -> bool:
    """Whether a result is whole: a `CallToolResult`."""
    fields: Any = getattr(cast("Any", type(result)), "model_fields", None)
    if not fields or ("isError" not in fields and "is_error" not in fields):
        return False
    from ...types import CallToolResult

    return isinstance(result, CallToolResult)
