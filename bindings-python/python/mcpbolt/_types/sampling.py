"""Sampling: a server asks the client's model.

Written by `cargo xtask generate`; do not edit.
"""

from typing import Any, Literal, TypeAlias

from pydantic import Field

from ._model import OpenModel
from .base import Request, RequestParams, Result
from .common import Role
from .content import AudioContent, ContentBlock, ImageContent, TextContent
from .tools import Tool


class ToolUseContent(OpenModel):
    """A model's wish to call a tool. Since 2025-11-25; deprecated since 2026-07-28 with
    sampling (SEP-2577), earliest removal 2027-07-28.

    .. deprecated:: 2026-07-28
       sampling, SEP-2577; earliest removal 2027-07-28. Call the model's provider from the
       server.
    """

    type: Literal["tool_use"]
    """Always `tool_use`."""
    name: str
    """The name of the tool."""
    id: str
    """Names this use; the result refers to it."""
    input: dict[str, Any]
    """The arguments: an object."""
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)
    """Metadata of the protocol and of extensions."""


class ToolResultContent(OpenModel):
    """What a tool answered to a model. Since 2025-11-25; deprecated since 2026-07-28 with
    sampling (SEP-2577), earliest removal 2027-07-28.

    .. deprecated:: 2026-07-28
       sampling, SEP-2577; earliest removal 2027-07-28. Call the model's provider from the
       server.
    """

    type: Literal["tool_result"]
    """Always `tool_result`."""
    toolUseId: str
    """The id of the `tool_use` that this is the result of."""
    content: list[ContentBlock] = []
    """The answer."""
    structuredContent: Any = None
    """The result as data; `null` is a value."""
    isError: bool | None = None
    """Whether the tool failed."""
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)
    """Metadata of the protocol and of extensions."""

    @property
    def tool_use_id(self) -> str:
        """`toolUseId`."""
        return self.toolUseId

    @property
    def structured_content(self) -> Any:
        """`structuredContent`."""
        return self.structuredContent

    @property
    def is_error(self) -> bool | None:
        """`isError`."""
        return self.isError

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


class SamplingMessage(OpenModel):
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


class ModelHint(OpenModel):
    """A name to look for.

    .. deprecated:: 2026-07-28
       sampling, SEP-2577; earliest removal 2027-07-28. Call the model's provider from the
       server.
    """

    name: str | None = None
    """Part of a model's name."""


class ModelPreferences(OpenModel):
    """Which model a server would like; the client decides.

    .. deprecated:: 2026-07-28
       sampling, SEP-2577; earliest removal 2027-07-28. Call the model's provider from the
       server.
    """

    hints: list[ModelHint] | None = None
    """Names to look for, best first."""
    costPriority: float | None = None
    """How much cost matters, from 0 to 1."""
    speedPriority: float | None = None
    """How much speed matters, from 0 to 1."""
    intelligencePriority: float | None = None
    """How much ability matters, from 0 to 1."""

    @property
    def cost_priority(self) -> float | None:
        """`costPriority`."""
        return self.costPriority

    @property
    def speed_priority(self) -> float | None:
        """`speedPriority`."""
        return self.speedPriority

    @property
    def intelligence_priority(self) -> float | None:
        """`intelligencePriority`."""
        return self.intelligencePriority


class ToolChoice(OpenModel):
    """How the model uses tools. Since 2025-11-25.

    .. deprecated:: 2026-07-28
       sampling, SEP-2577; earliest removal 2027-07-28. Call the model's provider from the
       server.
    """

    mode: Literal["auto", "required", "none"] | None = None
    """Whether it may, must or must not. Taken as `auto` when absent."""


class CreateMessageRequestParams(RequestParams, extra="allow"):
    """Params of `sampling/createMessage`.

    .. deprecated:: 2026-07-28
       sampling, SEP-2577; earliest removal 2027-07-28. Call the model's provider from the
       server.
    """

    messages: list[SamplingMessage]
    """The conversation so far, oldest message first."""
    modelPreferences: ModelPreferences | None = None
    """Which model the server prefers."""
    systemPrompt: str | None = None
    """The system prompt."""
    includeContext: IncludeContext | None = None
    """What context the client adds.

    .. deprecated:: 2025-11-25
       includeContext, SEP-2596; earliest removal 2027-07-28. Leave it out, or say `none`.
    """
    temperature: float | None = None
    """The temperature."""
    maxTokens: int
    """The largest number of tokens to generate."""
    stopSequences: list[str] | None = None
    """Texts that end the answer."""
    metadata: dict[str, Any] | None = None
    """Settings for the model's provider, passed on unchanged."""
    tools: list[Tool] | None = None
    """Tools the model may use. Since 2025-11-25."""
    toolChoice: ToolChoice | None = None
    """Whether the model has to use tools. Since 2025-11-25."""

    @property
    def model_preferences(self) -> ModelPreferences | None:
        """`modelPreferences`."""
        return self.modelPreferences

    @property
    def system_prompt(self) -> str | None:
        """`systemPrompt`."""
        return self.systemPrompt

    @property
    def include_context(self) -> IncludeContext | None:
        """`includeContext`."""
        return self.includeContext

    @property
    def max_tokens(self) -> int:
        """`maxTokens`."""
        return self.maxTokens

    @property
    def stop_sequences(self) -> list[str] | None:
        """`stopSequences`."""
        return self.stopSequences

    @property
    def tool_choice(self) -> ToolChoice | None:
        """`toolChoice`."""
        return self.toolChoice


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
    stopReason: StopReason | None = None
    """Why it stopped, if known."""

    @property
    def stop_reason(self) -> StopReason | None:
        """`stopReason`."""
        return self.stopReason


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
    stopReason: StopReason | None = None
    """Why it stopped, if known."""

    @property
    def stop_reason(self) -> StopReason | None:
        """`stopReason`."""
        return self.stopReason

    @property
    def content_as_list(self) -> list[SamplingMessageContentBlock]:
        """`content` as a list, also when it is one block."""
        return self.content if isinstance(self.content, list) else [self.content]
