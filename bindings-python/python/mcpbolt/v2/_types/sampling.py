"""Sampling: a server asks the client's model.

Written by `cargo xtask generate`; do not edit.
"""

from typing import Any, Literal, TypeAlias

from pydantic import Field

from ._model import Model
from .base import Request, RequestParams, Result, TaskMetadata
from .common import Role
from .content import AudioContent, ContentBlock, ImageContent, TextContent
from .listed import Tool


class ToolUseContent(Model):
    """A model's wish to call a tool. Since 2025-11-25; deprecated since 2026-07-28 with
    sampling (SEP-2577), earliest removal 2027-07-28.

    .. deprecated:: 2026-07-28
       sampling, SEP-2577; earliest removal 2027-07-28. Call the model's provider from the
       server.
    """

    type: Literal["tool_use"] = "tool_use"
    """Always `tool_use`."""
    name: str
    """The name of the tool."""
    id: str
    """Names this use; the result refers to it."""
    input: dict[str, Any]
    """The arguments: an object."""
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)
    """Metadata of the protocol and of extensions."""


class ToolResultContent(Model):
    """What a tool answered to a model. Since 2025-11-25; deprecated since 2026-07-28 with
    sampling (SEP-2577), earliest removal 2027-07-28.

    .. deprecated:: 2026-07-28
       sampling, SEP-2577; earliest removal 2027-07-28. Call the model's provider from the
       server.
    """

    type: Literal["tool_result"] = "tool_result"
    """Always `tool_result`."""
    tool_use_id: str
    """The id of the `tool_use` that this is the result of."""
    content: list[ContentBlock] = []
    """The answer."""
    structured_content: Any = None
    """The result as data; `null` is a value."""
    is_error: bool | None = None
    """Whether the tool failed."""
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)
    """Metadata of the protocol and of extensions."""

SamplingMessageContentBlock: TypeAlias = (
    TextContent
    | ImageContent
    | AudioContent
    | ToolUseContent
    | ToolResultContent
)
"""What a message to or from a model may hold."""

SamplingContent: TypeAlias = TextContent | ImageContent | AudioContent
"""What a model answers that has no tools."""


class SamplingMessage(Model):
    """One message to or from a model.

    .. deprecated:: 2026-07-28
       sampling, SEP-2577; earliest removal 2027-07-28. Call the model's provider from the
       server.
    """

    role: Role
    """The role of the sender."""
    content: SamplingMessageContentBlock | list[SamplingMessageContentBlock]
    """What is said. One block is written as an object, any other number as an array (arrays
    since 2025-11-25).
    """
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)
    """Metadata of the protocol and of extensions."""

    @property
    def content_as_list(self) -> list[SamplingMessageContentBlock]:
        """`content` as a list, also when it is one block."""
        return self.content if isinstance(self.content, list) else [self.content]

IncludeContext: TypeAlias = Literal["none", "thisServer", "allServers"]
"""What context of MCP servers the client adds to the prompt.

.. deprecated:: 2025-11-25
   includeContext, SEP-2596; earliest removal 2027-07-28. Leave it out, or say `none`.
"""


class ModelHint(Model):
    """A name to look for.

    .. deprecated:: 2026-07-28
       sampling, SEP-2577; earliest removal 2027-07-28. Call the model's provider from the
       server.
    """

    name: str | None = None
    """Part of a model's name."""


class ModelPreferences(Model):
    """Which model a server would like; the client decides.

    .. deprecated:: 2026-07-28
       sampling, SEP-2577; earliest removal 2027-07-28. Call the model's provider from the
       server.
    """

    hints: list[ModelHint] | None = None
    """Names to look for, best first."""
    cost_priority: float | None = None
    """How much cost matters, from 0 to 1."""
    speed_priority: float | None = None
    """How much speed matters, from 0 to 1."""
    intelligence_priority: float | None = None
    """How much ability matters, from 0 to 1."""


class ToolChoice(Model):
    """How the model uses tools. Since 2025-11-25.

    .. deprecated:: 2026-07-28
       sampling, SEP-2577; earliest removal 2027-07-28. Call the model's provider from the
       server.
    """

    mode: Literal["auto", "required", "none"] | None = None
    """Whether it may, must or must not. Taken as `auto` when absent."""


class CreateMessageRequestParams(RequestParams):
    """Params of `sampling/createMessage`.

    .. deprecated:: 2026-07-28
       sampling, SEP-2577; earliest removal 2027-07-28. Call the model's provider from the
       server.
    """

    messages: list[SamplingMessage]
    """The conversation so far, oldest message first."""
    model_preferences: ModelPreferences | None = None
    """Which model the server prefers."""
    system_prompt: str | None = None
    """The system prompt."""
    include_context: IncludeContext | None = None
    """What context the client adds.

    .. deprecated:: 2025-11-25
       includeContext, SEP-2596; earliest removal 2027-07-28. Leave it out, or say `none`.
    """
    temperature: float | None = None
    """The temperature."""
    max_tokens: int
    """The largest number of tokens to generate."""
    stop_sequences: list[str] | None = None
    """Texts that end the answer."""
    metadata: dict[str, Any] | None = None
    """Settings for the model's provider, passed on unchanged."""
    tools: list[Tool] | None = None
    """Tools the model may use. Since 2025-11-25."""
    tool_choice: ToolChoice | None = None
    """Whether the model has to use tools. Since 2025-11-25."""
    task: TaskMetadata | None = None
    """Asks to run as a task. 2025-11-25 only."""


class CreateMessageRequest(Request[CreateMessageRequestParams, Literal["sampling/createMessage"]]):
    """Request `sampling/createMessage` from the server. Until 2025-11-25.

    .. deprecated:: 2026-07-28
       sampling, SEP-2577; earliest removal 2027-07-28. Call the model's provider from the
       server.
    """

    method: Literal["sampling/createMessage"] = "sampling/createMessage"
    """The method."""
    params: CreateMessageRequestParams
    """What it is about."""

StopReason: TypeAlias = Literal["endTurn", "stopSequence", "maxTokens", "toolUse"] | str
"""Why the model stopped.

.. deprecated:: 2026-07-28
   sampling, SEP-2577; earliest removal 2027-07-28. Call the model's provider from the
   server.
"""


class CreateMessageResult(Result):
    """Result of `sampling/createMessage`.

    .. deprecated:: 2026-07-28
       sampling, SEP-2577; earliest removal 2027-07-28. Call the model's provider from the
       server.
    """

    role: Role
    """The role of the sender."""
    content: SamplingContent
    """What is said. One block is written as an object, any other number as an array (arrays
    since 2025-11-25).
    """
    model: str
    """The model that answered."""
    stop_reason: StopReason | None = None
    """Why it stopped, if known."""


class CreateMessageResultWithTools(Result):
    """Result of `sampling/createMessage`.

    .. deprecated:: 2026-07-28
       sampling, SEP-2577; earliest removal 2027-07-28. Call the model's provider from the
       server.
    """

    role: Role
    """The role of the sender."""
    content: SamplingMessageContentBlock | list[SamplingMessageContentBlock]
    """What is said. One block is written as an object, any other number as an array (arrays
    since 2025-11-25).
    """
    model: str
    """The model that answered."""
    stop_reason: StopReason | None = None
    """Why it stopped, if known."""

    @property
    def content_as_list(self) -> list[SamplingMessageContentBlock]:
        """`content` as a list, also when it is one block."""
        return self.content if isinstance(self.content, list) else [self.content]
