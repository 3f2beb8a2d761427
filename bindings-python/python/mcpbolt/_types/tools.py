"""Tools: what they are, how they are called, what they answer.

Written by `cargo xtask generate`; do not edit.
"""

from typing import Any, ClassVar, Literal, TypeAlias

from pydantic import Field

from ._model import OpenModel
from .base import (
    Notification,
    NotificationParams,
    PaginatedRequest,
    PaginatedResult,
    Request,
    RequestParams,
    Result,
)
from .common import BaseMetadata, Icon
from .content import ContentBlock

TaskExecutionMode: TypeAlias = Literal["forbidden", "optional", "required"]
"""Whether a tool runs as a task. 2025-11-25 only."""


class ListToolsRequest(PaginatedRequest[Literal["tools/list"]]):
    """Request `tools/list` from the client."""

    method: Literal["tools/list"] = "tools/list"
    """The method."""


class ToolAnnotations(OpenModel):
    """Hints about a tool. From an untrusted server they are not to be trusted."""

    title: str | None = None
    """Its name for people; the tool's own title comes first."""
    readOnlyHint: bool | None = None
    """It changes nothing. Taken as false when absent."""
    destructiveHint: bool | None = None
    """It may destroy; only matters when it is not read-only. Taken as true when absent."""
    idempotentHint: bool | None = None
    """Calling it again with the same arguments changes nothing more. Taken as false when
    absent.
    """
    openWorldHint: bool | None = None
    """It deals with the outside world. Taken as true when absent."""

    @property
    def read_only_hint(self) -> bool | None:
        """`readOnlyHint`."""
        return self.readOnlyHint

    @property
    def destructive_hint(self) -> bool | None:
        """`destructiveHint`."""
        return self.destructiveHint

    @property
    def idempotent_hint(self) -> bool | None:
        """`idempotentHint`."""
        return self.idempotentHint

    @property
    def open_world_hint(self) -> bool | None:
        """`openWorldHint`."""
        return self.openWorldHint


class ToolExecution(OpenModel):
    """How a tool runs. 2025-11-25 only."""

    taskSupport: TaskExecutionMode | None = None
    """Whether it runs as a task."""

    @property
    def task_support(self) -> TaskExecutionMode | None:
        """`taskSupport`."""
        return self.taskSupport


class Tool(BaseMetadata, extra="allow"):
    """Something a client can call."""

    description: str | None = None
    """What it does, for the model."""
    inputSchema: dict[str, Any]
    """JSON Schema of the arguments. Its root has `type: object`."""
    outputSchema: dict[str, Any] | None = None
    """JSON Schema of `structuredContent`. Since 2025-06-18; before 2026-07-28 its root has
    `type: object`.
    """
    icons: list[Icon] | None = None
    """Icons. Since 2025-11-25."""
    annotations: ToolAnnotations | None = None
    """Hints about what it does. Since 2025-03-26."""
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)
    """Metadata of the protocol and of extensions."""
    execution: ToolExecution | None = None
    """How it runs. 2025-11-25 only."""

    @property
    def input_schema(self) -> dict[str, Any]:
        """`inputSchema`."""
        return self.inputSchema

    @property
    def output_schema(self) -> dict[str, Any] | None:
        """`outputSchema`."""
        return self.outputSchema


class ListToolsResult(PaginatedResult):
    """Result of `tools/list`."""

    tools: list[Tool]
    """The tools of this page."""

    __later__: ClassVar[tuple[str, ...]] = ("ttlMs", "cacheScope")

    @property
    def ttlMs(self) -> int | None:
        """How long this may be kept, in milliseconds. Since 2026-07-28."""
        value: int | None = self.__later_value__("ttlMs")
        return value

    @property
    def ttl_ms(self) -> int | None:
        """`ttlMs`."""
        value: int | None = self.__later_value__("ttlMs")
        return value

    @property
    def cacheScope(self) -> str | None:
        """Who may keep it. Since 2026-07-28."""
        value: str | None = self.__later_value__("cacheScope")
        return value

    @property
    def cache_scope(self) -> str | None:
        """`cacheScope`."""
        value: str | None = self.__later_value__("cacheScope")
        return value


class CallToolRequestParams(RequestParams, extra="allow"):
    """Params of `tools/call`."""

    name: str
    """The name of the tool."""
    arguments: dict[str, Any] | None = None
    """The arguments: an object."""

    __later__: ClassVar[tuple[str, ...]] = ("inputResponses", "requestState")

    @property
    def inputResponses(self) -> dict[str, Any] | None:
        """Answers to an earlier `input_required`. Since 2026-07-28."""
        value: dict[str, Any] | None = self.__later_value__("inputResponses")
        return value

    @property
    def input_responses(self) -> dict[str, Any] | None:
        """`inputResponses`."""
        value: dict[str, Any] | None = self.__later_value__("inputResponses")
        return value

    @property
    def requestState(self) -> str | None:
        """What the earlier `input_required` asked to be sent back. Since 2026-07-28."""
        value: str | None = self.__later_value__("requestState")
        return value

    @property
    def request_state(self) -> str | None:
        """`requestState`."""
        value: str | None = self.__later_value__("requestState")
        return value


class CallToolRequest(Request[CallToolRequestParams, Literal["tools/call"]]):
    """Request `tools/call` from the client."""

    method: Literal["tools/call"] = "tools/call"
    """The method."""
    params: CallToolRequestParams
    """What it is about."""


class CallToolResult(Result):
    """Result of `tools/call`. A tool's own failure is a result with `isError`, so that the
    model sees it.
    """

    content: list[ContentBlock]
    """The answer."""
    structuredContent: Any = None
    """The answer as data. `null` is a value, told from absent. Since 2025-06-18; before
    2026-07-28 an object.
    """
    isError: bool = False
    """Whether the tool failed. Taken as false when absent."""

    @property
    def structured_content(self) -> Any:
        """`structuredContent`."""
        return self.structuredContent

    @property
    def is_error(self) -> bool:
        """`isError`."""
        return self.isError


class ToolListChangedNotification(Notification[NotificationParams | None, Literal["notifications/tools/list_changed"]]):
    """Notification `notifications/tools/list_changed` from the server."""

    method: Literal["notifications/tools/list_changed"] = "notifications/tools/list_changed"
    """The method."""
    params: NotificationParams | None = None
    """What it is about."""
