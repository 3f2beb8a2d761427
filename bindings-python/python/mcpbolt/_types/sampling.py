"""sampling."""

from pydantic import ConfigDict, Field
from typing import Any, Literal, TypeAlias
from ._model import OpenModel
from .base import Request, RequestParams, Result
from .common import Role
from .content import AudioContent, ContentBlock, ImageContent, TextContent
from .tools import Tool


class ToolUseContent(OpenModel):
    type: Literal['tool_use']
    name: str
    id: str
    input: dict[str, Any]
    meta: dict[str, Any] | None = Field(alias='_meta', default=None)


class ToolResultContent(OpenModel):
    type: Literal['tool_result']
    toolUseId: str
    content: list[ContentBlock] = []
    structuredContent: dict[str, Any] | None = None
    isError: bool | None = None
    meta: dict[str, Any] | None = Field(alias='_meta', default=None)

    @property
    def tool_use_id(self) -> str:
        return self.toolUseId

    @property
    def structured_content(self) -> dict[str, Any] | None:
        return self.structuredContent

    @property
    def is_error(self) -> bool | None:
        return self.isError


SamplingMessageContentBlock: TypeAlias = TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent

SamplingContent: TypeAlias = TextContent | ImageContent | AudioContent

class SamplingMessage(OpenModel):
    role: Role
    content: SamplingMessageContentBlock | list[SamplingMessageContentBlock]
    meta: dict[str, Any] | None = Field(alias='_meta', default=None)

    @property
    def content_as_list(self) -> list[SamplingMessageContentBlock]:
        """`content` as a list, also when it is one block."""
        return self.content if isinstance(self.content, list) else [self.content]


IncludeContext: TypeAlias = Literal['none', 'thisServer', 'allServers']

class ModelHint(OpenModel):
    name: str | None = None


class ModelPreferences(OpenModel):
    hints: list[ModelHint] | None = None
    costPriority: float | None = None
    speedPriority: float | None = None
    intelligencePriority: float | None = None

    @property
    def cost_priority(self) -> float | None:
        return self.costPriority

    @property
    def speed_priority(self) -> float | None:
        return self.speedPriority

    @property
    def intelligence_priority(self) -> float | None:
        return self.intelligencePriority


class ToolChoice(OpenModel):
    mode: Literal['auto', 'required', 'none'] | None = None


class CreateMessageRequestParams(RequestParams):
    model_config = ConfigDict(extra="allow")
    messages: list[SamplingMessage]
    modelPreferences: ModelPreferences | None = None
    systemPrompt: str | None = None
    includeContext: IncludeContext | None = None
    temperature: float | None = None
    maxTokens: int
    stopSequences: list[str] | None = None
    metadata: dict[str, Any] | None = None
    tools: list[Tool] | None = None
    toolChoice: ToolChoice | None = None

    @property
    def model_preferences(self) -> ModelPreferences | None:
        return self.modelPreferences

    @property
    def system_prompt(self) -> str | None:
        return self.systemPrompt

    @property
    def include_context(self) -> IncludeContext | None:
        return self.includeContext

    @property
    def max_tokens(self) -> int:
        return self.maxTokens

    @property
    def stop_sequences(self) -> list[str] | None:
        return self.stopSequences

    @property
    def tool_choice(self) -> ToolChoice | None:
        return self.toolChoice


class CreateMessageRequest(Request[CreateMessageRequestParams, Literal['sampling/createMessage']]):
    method: Literal['sampling/createMessage'] = 'sampling/createMessage'
    params: CreateMessageRequestParams


StopReason: TypeAlias = Literal['endTurn', 'stopSequence', 'maxTokens', 'toolUse'] | str

class CreateMessageResult(Result):
    role: Role
    content: SamplingContent
    model: str
    stopReason: StopReason | None = None

    @property
    def stop_reason(self) -> StopReason | None:
        return self.stopReason


class CreateMessageResultWithTools(Result):
    role: Role
    content: SamplingMessageContentBlock | list[SamplingMessageContentBlock]
    model: str
    stopReason: StopReason | None = None

    @property
    def stop_reason(self) -> StopReason | None:
        return self.stopReason

    @property
    def content_as_list(self) -> list[SamplingMessageContentBlock]:
        """`content` as a list, also when it is one block."""
        return self.content if isinstance(self.content, list) else [self.content]



