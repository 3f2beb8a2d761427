"""Tasks of 2025-11-25, asked of a server: start one, look at it, fetch what it brought."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Any, TypeVar

from ...shared.experimental.tasks.polling import poll_until_terminal

if TYPE_CHECKING:
    from ... import types
    from ..session import ClientSession

ResultT = TypeVar("ResultT")


class ExperimentalClientFeatures:
    """`session.experimental`. The protocol has withdrawn these methods since."""

    def __init__(self, session: ClientSession) -> None:
        self._session = session

    async def call_tool_as_task(
        self,
        name: str,
        arguments: dict[str, Any] | None = None,
        *,
        ttl: int = 60000,
        meta: dict[str, Any] | None = None,
    ) -> types.CreateTaskResult:
        """Call a tool that runs on its own; the answer names the task.

        Args:
            name: The tool.
            arguments: Its arguments.
            ttl: Milliseconds the server should keep it.
            meta: `_meta` of the request.
        """
        from ... import types

        params: dict[str, Any] = {"name": name, "arguments": arguments, "task": {"ttl": ttl}, "_meta": meta}
        found = {name: value for name, value in params.items() if value is not None}
        request = types.CallToolRequest(params=types.CallToolRequestParams.model_validate(found))
        return await self._session.send_request(types.ClientRequest(request), types.CreateTaskResult)

    async def get_task(self, task_id: str) -> types.GetTaskResult:
        """The status of a task."""
        from ... import types

        request = types.GetTaskRequest(params=types.GetTaskRequestParams(taskId=task_id))
        return await self._session.send_request(types.ClientRequest(request), types.GetTaskResult)

    async def get_task_result(self, task_id: str, result_type: type[ResultT]) -> ResultT:
        """The result of a task, as the result type of its request; waits until the task is over."""
        from ... import types

        request = types.GetTaskPayloadRequest(params=types.GetTaskPayloadRequestParams(taskId=task_id))
        return await self._session.send_request(types.ClientRequest(request), result_type)

    async def list_tasks(self, cursor: str | None = None) -> types.ListTasksResult:
        """One page of the server's tasks."""
        from ... import types

        params = types.PaginatedRequestParams(cursor=cursor) if cursor else None
        return await self._session.send_request(
            types.ClientRequest(types.ListTasksRequest(params=params)), types.ListTasksResult
        )

    async def cancel_task(self, task_id: str) -> types.CancelTaskResult:
        """Cancel a task."""
        from ... import types

        request = types.CancelTaskRequest(params=types.CancelTaskRequestParams(taskId=task_id))
        return await self._session.send_request(types.ClientRequest(request), types.CancelTaskResult)

    async def poll_task(self, task_id: str) -> AsyncGenerator[types.GetTaskResult, None]:
        """Yields the status of a task repeatedly until it is over."""
        async for task in poll_until_terminal(self.get_task, task_id):
            yield task
