"""Whether a request asks to run as a task of 2025-11-25: `RequestContext.experimental`.

Owns: what the request and the client say about tasks. Running them is up to the program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..shared.exceptions import McpError
from ._error_responses import METHOD_NOT_FOUND

if TYPE_CHECKING:
    from ..types import ClientCapabilities, ErrorData, TaskMetadata, Tool


class AsTask:
    """Tells a handler whether it is called as a task."""

    def __init__(
        self, task_metadata: TaskMetadata | None = None, capabilities: ClientCapabilities | None = None
    ) -> None:
        self.task_metadata = task_metadata
        self._capabilities = capabilities

    @property
    def is_task(self) -> bool:
        """Whether the client wants to fetch the result later."""
        return self.task_metadata is not None

    @property
    def client_supports_tasks(self) -> bool:
        """Whether the client declared that it supports tasks."""
        return self._capabilities is not None and self._capabilities.tasks is not None

    def validate_task_mode(self, tool_task_mode: str | None, *, raise_error: bool = True) -> ErrorData | None:
        """The error for calling a tool with this task mode in this way; `None` if it is
        allowed.

        Raises:
            McpError: The call is not allowed, and `raise_error` is true.
        """
        from ..types import ErrorData

        if tool_task_mode == "required" and not self.is_task:
            words = "This tool requires task-augmented invocation"
        elif (tool_task_mode or "forbidden") == "forbidden" and self.is_task:
            words = "This tool does not support task-augmented invocation"
        else:
            return None
        error = ErrorData(code=METHOD_NOT_FOUND, message=words)
        if raise_error:
            raise McpError(error)
        return error

    def validate_for_tool(self, tool: Tool, *, raise_error: bool = True) -> ErrorData | None:
        """The same as `validate_task_mode`, with the mode that a tool declares."""
        mode = tool.execution.taskSupport if tool.execution else None
        return self.validate_task_mode(mode, raise_error=raise_error)

    def can_use_tool(self, tool_task_mode: str | None) -> bool:
        """Whether this client can call a tool with this task mode at all."""
        return tool_task_mode != "required" or self.client_supports_tasks


def as_task(task: Any, params: Any) -> AsTask:
    """Make an `AsTask` from a request's `task` and the params with which the client opened the
    session.
    """
    return AsTask(task, params.capabilities if params is not None else None)
