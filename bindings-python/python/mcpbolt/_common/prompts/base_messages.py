"""What the messages of prompts have in common in both lines.

Owns: what a message is made from. Must not know: the models of a line, which its own messages name.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from ..functions.content import block_of


class BaseMessage(BaseModel):
    """What a message of either line is made from. A line's own messages have its content blocks.

    Args:
        content: Text, an image, audio or a content block.
        **kwargs: The other members of the message.
    """

    @classmethod
    def _models(cls) -> Any:
        """The module of the line's models."""
        raise NotImplementedError

    def __init__(self, content: Any, **kwargs: Any) -> None:
        models = self._models()
        if isinstance(content, str):
            content = models.TextContent(type="text", text=content)
        else:
            block = block_of(content, models)
            content = content if block is None else block
        super().__init__(content=content, **kwargs)
