"""Messages of prompts, as pydantic models.

Owns: the messages of 2.x. Their annotations are evaluated at once, see `_naming`.
"""

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from ....._common.functions.media import Audio, Image
from ....._common.prompts.base_messages import BaseMessage
from ....._naming import found_in
from ....types import ContentBlock


@found_in("v2.server.mcpserver.prompts.base")
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
        from .... import types

        return types

    def __init__(self, content: str | ContentBlock | Image | Audio, **kwargs: Any) -> None:
        super().__init__(content, **kwargs)


@found_in("v2.server.mcpserver.prompts.base")
class UserMessage(Message):
    """A message of the user.

    Args:
        content: Text, an image, audio or a content block.
        **kwargs: Not needed; the `role` is set.
    """

    role: Literal["user", "assistant"] = "user"

    def __init__(self, content: str | ContentBlock | Image | Audio, **kwargs: Any) -> None:
        super().__init__(content, **kwargs)


@found_in("v2.server.mcpserver.prompts.base")
class AssistantMessage(Message):
    """A message of the assistant, the language model.

    Args:
        content: Text, an image, audio or a content block.
        **kwargs: Not needed; the `role` is set.
    """

    role: Literal["user", "assistant"] = "assistant"

    def __init__(self, content: str | ContentBlock | Image | Audio, **kwargs: Any) -> None:
        super().__init__(content, **kwargs)


# Either class takes both roles, so the first always fits; trying both would make the content twice.
message_validator: TypeAdapter[UserMessage | AssistantMessage] = TypeAdapter(
    Annotated[UserMessage | AssistantMessage, Field(union_mode="left_to_right")]
)
