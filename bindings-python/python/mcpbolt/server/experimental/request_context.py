"""What a handler can do about tasks: `RequestContext.experimental`.

Owns: what the request and the client say about tasks, and beginning one. Must not know: how a
session sends, or who keeps tasks.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...shared.exceptions import McpError
from ...shared.experimental.tasks.helpers import MODEL_IMMEDIATE_RESPONSE_KEY, is_terminal
from .._error_responses import METHOD_NOT_FOUND
from ..validation import capabilities_of
from .task_context import ServerTaskContext
from .task_scope import scoped_task_id

if TYPE_CHECKING:
    from ...types import (
        ClientCapabilities,
        CreateTaskResult,
        ErrorData,
        Result,
        TaskExecutionMode,
        TaskMetadata,
        Tool,
    )
    from .task_support import TaskSupport

logger: logging.Logger = logging.getLogger("mcp.server.experimental.request_context")

EXPLICIT_TASK_ID_DEPRECATION = (
    "Passing an explicit task_id to run_task is deprecated: such a task is not associated with the session that "
    "begins it. Whoever presents the id can read its result or cancel it, and nobody is listed it. Leave task_id out."
)


@dataclass
class Experimental:
    """Tells a handler whether it is called as a task, and makes a task of the call."""

    task_metadata: TaskMetadata | None = None
    """What the request says about its task; `None` for one that is no task."""
    _client_capabilities: ClientCapabilities | None = field(default=None, repr=False)
    _session: Any = field(default=None, repr=False)
    _task_support: TaskSupport | None = field(default=None, repr=False)

    @property
    def is_task(self) -> bool:
        """Whether the client wants to fetch the result later."""
        return self.task_metadata is not None

    @property
    def client_supports_tasks(self) -> bool:
        """Whether the client declared that it supports tasks."""
        return self._client_capabilities is not None and self._client_capabilities.tasks is not None

    def validate_task_mode(
        self, tool_task_mode: TaskExecutionMode | None, *, raise_error: bool = True
    ) -> ErrorData | None:
        """The error for calling a tool with this task mode in this way; `None` if it is
        allowed.

        Args:
            tool_task_mode: The mode: `required`, `optional`, or `forbidden`, as without one.
            raise_error: Whether the error is raised. Default: yes.

        Raises:
            McpError: The call is not allowed, and `raise_error` is true.
        """
        from ...types import ErrorData

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
        """The same as `validate_task_mode`, with the mode that a tool declares.

        Args:
            tool: The tool.
            raise_error: Whether the error is raised. Default: yes.
        """
        mode = tool.execution.taskSupport if tool.execution else None
        return self.validate_task_mode(mode, raise_error=raise_error)

    def can_use_tool(self, tool_task_mode: TaskExecutionMode | None) -> bool:
        """Whether this client can call a tool with this task mode at all.

        Args:
            tool_task_mode: The mode.
        """
        return tool_task_mode != "required" or self.client_supports_tasks

    async def run_task(
        self,
        work: Callable[[ServerTaskContext], Awaitable[Result]],
        *,
        task_id: str | None = None,
        model_immediate_response: str | None = None,
    ) -> CreateTaskResult:
        """Make a task of the call and start its work; returns what the handler is to return. What
        the work returns is the result of the task; if it raises, the task has failed.

        Args:
            work: The work. It is given a `ServerTaskContext`.
            task_id: The id of the task, which then belongs to no session; deprecated. Default: a
                new one, which only the client of this session can use.
            model_immediate_response: What to tell the model while the task runs. Default: nothing.

        Raises:
            RuntimeError: The request is no task, or `server.experimental.enable_tasks()` was not
                called.
        """
        from ...types import CreateTaskResult

        if task_id is not None:
            warnings.warn(EXPLICIT_TASK_ID_DEPRECATION, DeprecationWarning, stacklevel=2)
        support = self._task_support
        if support is None:
            raise RuntimeError("Task support not enabled. Call server.experimental.enable_tasks() first.")
        if self._session is None:
            raise RuntimeError("Session not available.")
        if self.task_metadata is None:
            raise RuntimeError("Request is not task-augmented: its params have no task, which the client has to send.")
        group = support.task_group
        scope = self._session._experimental.task_session_scope
        if task_id is None and scope is not None:
            task_id = scoped_task_id(scope)
        task = await support.store.create_task(self.task_metadata, task_id)
        context = ServerTaskContext(
            task=task, store=support.store, session=self._session, queue=support.queue, handler=support.handler
        )
        group.start_soon(_carried_out, support, context, work)
        meta = {} if model_immediate_response is None else {MODEL_IMMEDIATE_RESPONSE_KEY: model_immediate_response}
        return CreateTaskResult.model_validate({"task": task, "_meta": meta or None})


async def _carried_out(
    support: TaskSupport, context: ServerTaskContext, work: Callable[[ServerTaskContext], Awaitable[Result]]
) -> None:
    """Do the work of a task, and end the task with what comes of it, unless it has ended. Whatever
    happens to it, the tasks beside it go on.
    """
    try:
        try:
            result = await work(context)
        except Exception as error:
            if await _goes_on(support, context):
                await context.fail(str(error))
        else:
            if await _goes_on(support, context):
                await context.complete(result)
    except Exception:
        # The store refused the end, or the client cannot be told of it.
        logger.exception("Task %s did not end as it should", context.task_id)


async def _goes_on(support: TaskSupport, context: ServerTaskContext) -> bool:
    """Whether a task is still there and not over: its client may have given it up."""
    task = await support.store.get_task(context.task_id)
    return task is not None and not is_terminal(task.status)


def experimental_of(task: Any, session: Any, support: TaskSupport | None) -> Experimental:
    """Make an `Experimental` from the `task` of a request.

    Args:
        task: The member `task` of the params, as a model or as JSON values; `None` without one.
        session: The session that the request came from.
        support: What the server has for tasks; `None` if they are not enabled.
    """
    if isinstance(task, dict):
        from ...types import TaskMetadata

        task = TaskMetadata.model_validate(task)
    return Experimental(task, capabilities_of(session), session, support)
