"""Tools: how they are listed and called, what they answer.

Written by `cargo xtask generate`; do not edit.
"""

from typing import Any, Literal

from .base import (
    CacheableResult,
    Notification,
    NotificationParams,
    PaginatedRequest,
    PaginatedResult,
    Request,
    Result,
    ResultType,
    TaskMetadata,
)
from .content import ContentBlock
from .listed import Tool
from .questions import InputResponseRequestParams


class ListToolsRequest(PaginatedRequest[Literal["tools/list"]]):
    """Request `tools/list` from the client."""

    method: Literal["tools/list"] = "tools/list"
    """The method."""


class ListToolsResult(PaginatedResult, CacheableResult):
    """Result of `tools/list`."""

    tools: list[Tool]
    """The tools of this page."""
    result_type: ResultType = "complete"
    """What kind of result this is. Since 2026-07-28."""


class CallToolRequestParams(InputResponseRequestParams):
    """Params of `tools/call`."""

    name: str
    """The name of the tool."""
    arguments: dict[str, Any] | None = None
    """The arguments: an object."""
    task: TaskMetadata | None = None
    """Asks to run as a task. 2025-11-25 only."""


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
    structured_content: Any = None
    """The answer as data. `null` is a value, told from absent. Since 2025-06-18; before
    2026-07-28 an object.
    """
    is_error: bool = False
    """Whether the tool failed. Taken as false when absent."""
    result_type: ResultType = "complete"
    """What kind of result this is. Since 2026-07-28."""


class ToolListChangedNotification(Notification[NotificationParams | None, Literal["notifications/tools/list_changed"]]):
    """Notification `notifications/tools/list_changed` from the server."""

    method: Literal["notifications/tools/list_changed"] = "notifications/tools/list_changed"
    """The method."""
    params: NotificationParams | None = None
    """What it is about."""
