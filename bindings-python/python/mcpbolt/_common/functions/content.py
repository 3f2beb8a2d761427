"""What a function returned, as content blocks.

Owns: which values are blocks already. Must not know: signatures.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, cast

from ..._engine import face
from .lines import as_block, as_model, block_types, result_types


def to_content(result: Any, models: Any) -> list[Any]:
    """Convert any result to content blocks: blocks are kept, lists are flattened, all other
    values become text. `models` is the module of the models that the blocks are of.
    """
    if result is None:
        return []
    block = block_of(result, models)
    if block is not None:
        return [block]
    if isinstance(result, (list, tuple)):
        items = cast("Sequence[Any]", result)
        return [block for item in items for block in to_content(item, models)]
    if not isinstance(result, str):
        import pydantic_core

        result = pydantic_core.to_json(result, fallback=str, indent=2).decode()
    return [models.TextContent(type="text", text=result)]


def is_block(value: Any) -> bool:
    """Whether a value is a content block, an image or audio."""
    if isinstance(value, (str, int, float, list, tuple, dict)):
        return False
    from .media import Audio, Image

    return isinstance(value, (Image, Audio, *block_types()))


def block_of(value: Any, models: Any) -> Any:
    """A content block, an image or audio as a block of these models; `None` for other values."""
    if not is_block(value):
        return None
    from .media import Audio, Image

    if isinstance(value, Image):
        value = value.to_image_content()
    elif isinstance(value, Audio):
        value = value.to_audio_content()
    return as_block(value, models)


def whole_of(found: Any, models: Any) -> Any:
    """What a function returned, in parts or as a whole result, as a `CallToolResult` of these models."""
    kind = models.CallToolResult
    if is_final(found):
        return as_model(kind, found)
    content, structured = cast("tuple[Any, Any]", found if isinstance(found, tuple) else (found, None))
    return kind(content=content, structuredContent=structured)


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
    return isinstance(result, result_types())
