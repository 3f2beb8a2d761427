"""tools."""

from pydantic import ConfigDict, Field
from typing import Any, Literal, TypeAlias
from ._model import OpenModel
from .base import Notification, NotificationParams, PaginatedRequest, PaginatedResult, Request, RequestParams, Result
from .common import BaseMetadata, Icon
from .content import ContentBlock


TaskExecutionMode: TypeAlias = Literal['forbidden', 'optional', 'required']

class ListToolsRequest(PaginatedRequest[Literal['tools/list']]):
    method: Literal['tools/list'] = 'tools/list'


class ToolAnnotations(OpenModel):
    title: str | None = None
    readOnlyHint: bool | None = None
    destructiveHint: bool | None = None
    idempotentHint: bool | None = None
    openWorldHint: bool | None = None

    @property
    def read_only_hint(self) -> bool | None:
        return self.readOnlyHint

    @property
    def destructive_hint(self) -> bool | None:
        return self.destructiveHint

    @property
    def idempotent_hint(self) -> bool | None:
        return self.idempotentHint

    @property
    def open_world_hint(self) -> bool | None:
        return self.openWorldHint


class ToolExecution(OpenModel):
    taskSupport: TaskExecutionMode | None = None

    @property
    def task_support(self) -> TaskExecutionMode | None:
        return self.taskSupport


class Tool(BaseMetadata):
    model_config = ConfigDict(extra="allow")
    description: str | None = None
    inputSchema: dict[str, Any]
    outputSchema: dict[str, Any] | None = None
    icons: list[Icon] | None = None
    annotations: ToolAnnotations | None = None
    meta: dict[str, Any] | None = Field(alias='_meta', default=None)
    execution: ToolExecution | None = None

    @property
    def input_schema(self) -> dict[str, Any]:
        return self.inputSchema

    @property
    def output_schema(self) -> dict[str, Any] | None:
        return self.outputSchema


class ListToolsResult(PaginatedResult):
    tools: list[Tool]


class CallToolRequestParams(RequestParams):
    model_config = ConfigDict(extra="allow")
    name: str
    arguments: dict[str, Any] | None = None


class CallToolRequest(Request[CallToolRequestParams, Literal['tools/call']]):
    method: Literal['tools/call'] = 'tools/call'
    params: CallToolRequestParams


class CallToolResult(Result):
    content: list[ContentBlock]
    structuredContent: dict[str, Any] | None = None
    isError: bool = False

    @property
    def structured_content(self) -> dict[str, Any] | None:
        return self.structuredContent

    @property
    def is_error(self) -> bool:
        return self.isError


class ToolListChangedNotification(Notification[NotificationParams | None, Literal['notifications/tools/list_changed']]):
    method: Literal['notifications/tools/list_changed'] = 'notifications/tools/list_changed'
    params: NotificationParams | None = None



