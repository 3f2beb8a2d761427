"""Tasks of 2025-11-25 on a low-level server: `Server.experimental`.

Owns: the handlers of the four methods about tasks, and the capability that follows from them.
Must not know: how a task runs.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, MutableMapping
from typing import TYPE_CHECKING, Any, TypeVar

from ...shared.exceptions import McpError
from ...shared.experimental.tasks.helpers import cancel_task
from ...shared.experimental.tasks.in_memory_task_store import InMemoryTaskStore
from ...shared.experimental.tasks.message_queue import InMemoryTaskMessageQueue, TaskMessageQueue
from ...shared.experimental.tasks.store import TaskStore
from .._error_responses import INVALID_PARAMS
from ..experimental.task_scope import task_in_session_scope, task_listable_in_session_scope
from ..experimental.task_support import TaskSupport
from ._handlers import Handler
from .func_inspection import create_call_wrapper

if TYPE_CHECKING:
    from ... import types

logger: logging.Logger = logging.getLogger("mcp.server.lowlevel.experimental")

F = TypeVar("F", bound=Callable[..., Any])


class ExperimentalHandlers:
    """The part of a server that is about tasks.

    Args:
        server: The server.
        request_handlers: Its handlers of requests, by class.
        notification_handlers: Its handlers of notifications, by class.
    """

    def __init__(
        self,
        server: Any,
        request_handlers: MutableMapping[type, Callable[..., Awaitable[types.ServerResult]]],
        notification_handlers: MutableMapping[type, Callable[..., Awaitable[None]]],
    ) -> None:
        self._server = server
        self._request_handlers = request_handlers
        self._notification_handlers = notification_handlers
        self._task_support: TaskSupport | None = None

    @property
    def task_support(self) -> TaskSupport | None:
        """What the server runs tasks with; `None` if tasks are not enabled."""
        return self._task_support

    def capability(self) -> dict[str, Any] | None:
        """The capability `tasks` as JSON values; `None` without a handler."""
        from ...types import CancelTaskRequest, GetTaskPayloadRequest, GetTaskRequest, ListTasksRequest

        has = self._request_handlers.__contains__
        if not any(map(has, (GetTaskRequest, GetTaskPayloadRequest, ListTasksRequest, CancelTaskRequest))):
            return None
        optional = {"list": ListTasksRequest, "cancel": CancelTaskRequest}
        declared: dict[str, Any] = {name: {} for name, kind in optional.items() if has(kind)}
        return {**declared, "requests": {"tools": {"call": {}}}}

    def update_capabilities(self, capabilities: types.ServerCapabilities) -> None:
        """Add the capability `tasks`, if there is a handler for any of its methods.

        Args:
            capabilities: What it is added to.
        """
        from ...types import ServerTasksCapability

        declared = self.capability()
        if declared is not None:
            capabilities.tasks = ServerTasksCapability.model_validate(declared)

    def enable_tasks(self, store: TaskStore | None = None, queue: TaskMessageQueue | None = None) -> TaskSupport:
        """Enable tasks: handlers can call `request_context.experimental.run_task`, and clients
        ask for their tasks. Methods that have a handler keep it.

        Args:
            store: Where tasks are stored. Default: in the memory of this process.
            queue: Where messages of tasks wait for their client. Default: in that memory too.
        """
        support = TaskSupport(store or InMemoryTaskStore(), queue or InMemoryTaskMessageQueue())
        self._task_support = support
        self._answer_by_default(support)
        return support

    def _answer_by_default(self, support: TaskSupport) -> None:
        from ... import types

        async def get(request: types.GetTaskRequest) -> types.GetTaskResult:
            self._check(request.params.taskId)
            task = await support.store.get_task(request.params.taskId)
            if task is None:
                raise _unknown(request.params.taskId)
            return types.GetTaskResult.model_validate(task.model_dump())

        async def result(request: types.GetTaskPayloadRequest) -> types.GetTaskPayloadResult:
            self._check(request.params.taskId)
            context = self._server.request_context
            return await support.handler.handle(request, context.session, context.request_id)

        async def listed(_: types.ListTasksRequest) -> types.ListTasksResult:
            # In one page: a cursor of the store could name a task of another session.
            return types.ListTasksResult(tasks=await self._own_tasks(support.store))

        async def cancel(request: types.CancelTaskRequest) -> types.CancelTaskResult:
            self._check(request.params.taskId)
            return await cancel_task(support.store, request.params.taskId)

        handlers: dict[type, Callable[[Any], Awaitable[Any]]] = {
            types.GetTaskRequest: get,
            types.GetTaskPayloadRequest: result,
            types.ListTasksRequest: listed,
            types.CancelTaskRequest: cancel,
        }
        for kind, handler in handlers.items():
            if kind not in self._request_handlers:
                self._request_handlers[kind] = Handler(handler)

    def _scope(self) -> str | None:
        scope: str | None = self._server.request_context.session._experimental.task_session_scope
        return scope

    def _check(self, task_id: str) -> None:
        """Refuse a task of another session, as if there were no such task."""
        if not task_in_session_scope(task_id, self._scope()):
            raise _unknown(task_id)

    async def _own_tasks(self, store: TaskStore) -> list[types.Task]:
        scope, cursor = self._scope(), None
        own: list[types.Task] = []
        while scope is not None:
            page, cursor = await store.list_tasks(cursor)
            own += [task for task in page if task_listable_in_session_scope(task.taskId, scope)]
            if cursor is None:
                break
        return own

    # By decorator

    def list_tasks(self) -> Callable[[F], F]:
        """Decorator for a function of a `ListTasksRequest` that returns a `ListTasksResult`."""
        return self._handles("ListTasksRequest")

    def get_task(self) -> Callable[[F], F]:
        """Decorator for a function of a `GetTaskRequest` that returns a `GetTaskResult`."""
        return self._handles("GetTaskRequest")

    def get_task_result(self) -> Callable[[F], F]:
        """Decorator for a function of a `GetTaskPayloadRequest` that returns a
        `GetTaskPayloadResult`, once the task is over.
        """
        return self._handles("GetTaskPayloadRequest")

    def cancel_task(self) -> Callable[[F], F]:
        """Decorator for a function of a `CancelTaskRequest` that returns a `CancelTaskResult`."""
        return self._handles("CancelTaskRequest")

    def _handles(self, name: str) -> Callable[[F], F]:
        def decorator(func: F) -> F:
            from ... import types

            kind: type = getattr(types, name)
            self._request_handlers[kind] = Handler(create_call_wrapper(func, kind))
            return func

        return decorator


def _unknown(task_id: str) -> McpError:
    return McpError(INVALID_PARAMS, f"Task not found: {task_id}")
