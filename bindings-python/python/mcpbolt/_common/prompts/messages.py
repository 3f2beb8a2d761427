"""Messages of prompts, as pydantic models.

Owns: these classes. Their annotations are evaluated at once, see `_naming`.
"""

from typing import Any, Literal, get_args

from pydantic import BaseModel, TypeAdapter

from ..._naming import found_in
from ...types import ContentBlock, TextContent
from ..functions.media import Audio, Image

# What a message may hold, and what becomes such content.
CONTENT = (*get_args(ContentBlock), Image, Audio)


def block_of(content: Any) -> Any:
    """The content block of a message: text, images and audio become one."""
    if isinstance(content, str):
        return TextContent(type="text", text=content)
    if isinstance(content, Image):
        return content.to_image_content()
    return content.to_audio_content() if isinstance(content, Audio) else content


@found_in("server.fastmcp.prompts.base")
class Message(BaseModel):
    """A message of the user or of the assistant. Plain text, an image or audio becomes a block.

    Args:
        content: Text, an image, audio or a content block.
        **kwargs: `role`: `"user"` or `"assistant"`.
    """

    role: Literal["user", "assistant"]
    """Who the message is from."""
    content: ContentBlock
    """The content: text, an image, audio or a resource."""

    def __init__(self, content: str | ContentBlock | Image | Audio, **kwargs: Any) -> None:
        super().__init__(content=block_of(content), **kwargs)


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
