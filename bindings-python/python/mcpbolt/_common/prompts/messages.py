"""Messages of prompts, as pydantic models.

Owns: the messages of 1.x. Their annotations are evaluated at once, see `_naming`.
"""

from typing import Any, Literal

from pydantic import TypeAdapter

from ..._naming import found_in
from ...types import ContentBlock
from ..functions.media import Audio, Image
from .base_messages import BaseMessage


@found_in("server.fastmcp.prompts.base")
class Message(BaseMessage):
    """A message of the user or of the assistant. Plain text, an image or audio becomes a block.

    Args:
        content: Text, an image, audio or a content block.
        **kwargs: `role`: `"user"` or `"assistant"`.
    """

    role: Literal["user", "assistant"]
    """Who the message is from."""
    content: ContentBlock
    """The content: text, an image, audio or a resource."""

    @classmethod
    def _models(cls) -> Any:
        from ... import types

        return types

    def __init__(self, content: str | ContentBlock | Image | Audio, **kwargs: Any) -> None:
        super().__init__(content, **kwargs)


@found_in("server.fastmcp.prompts.base")
class UserMessage(Message):
    """A message of the user.

    Args:
        content: Text, an image, audio or a content block.
        **kwargs: Not needed; the `role` is set.
    """

    role: Literal["user", "assistant"] = "user"

    def __init__(self, content: str | ContentBlock | Image | Audio, **kwargs: Any) -> None:
        super().__init__(content, **kwargs)


@found_in("server.fastmcp.prompts.base")
class AssistantMessage(Message):
    """A message of the assistant, the language model.

    Args:
        content: Text, an image, audio or a content block.
        **kwargs: Not needed; the `role` is set.
    """

    role: Literal["user", "assistant"] = "assistant"

    def __init__(self, content: str | ContentBlock | Image | Audio, **kwargs: Any) -> None:
        super().__init__(content, **kwargs)


message_validator: TypeAdapter[UserMessage | AssistantMessage] = TypeAdapter(UserMessage | AssistantMessage)
