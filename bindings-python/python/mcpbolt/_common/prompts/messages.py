"""Messages of prompts, as pydantic models.

Owns: these classes. Their annotations are evaluated at once, see `_naming`.
"""

from typing import Any, Literal

from pydantic import BaseModel, TypeAdapter

from ..._naming import found_in
from ...types import ContentBlock, TextContent


@found_in("server.fastmcp.prompts.base")
class Message(BaseModel):
    """A message of the user or of the assistant. Plain text becomes a text block."""

    role: Literal["user", "assistant"]
    content: ContentBlock

    def __init__(self, content: str | ContentBlock, **kwargs: Any) -> None:
        block = TextContent(type="text", text=content) if isinstance(content, str) else content
        super().__init__(content=block, **kwargs)


@found_in("server.fastmcp.prompts.base")
class UserMessage(Message):
    """A message of the user."""

    role: Literal["user", "assistant"] = "user"

    def __init__(self, content: str | ContentBlock, **kwargs: Any) -> None:
        super().__init__(content, **kwargs)


@found_in("server.fastmcp.prompts.base")
class AssistantMessage(Message):
    """A message of the assistant, the language model."""

    role: Literal["user", "assistant"] = "assistant"

    def __init__(self, content: str | ContentBlock, **kwargs: Any) -> None:
        super().__init__(content, **kwargs)


message_validator: TypeAdapter[UserMessage | AssistantMessage] = TypeAdapter(UserMessage | AssistantMessage)
