"""Tasks of 2025-11-25 on a server: start one, query its status, get its result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

from ...shared.experimental.tasks.requests import TaskRequests

if TYPE_CHECKING:
    from ... import types

ResultT = TypeVar("ResultT")


class Sender(Protocol):
    """What sends the requests: a `ClientSession`."""

    async def send_request(self, request: types.ClientRequest, result_type: type[ResultT]) -> ResultT:
        """Send a request and wait for its result.

        Args:
            request: The request.
            result_type: The model of the result.
        """
        ...


class ExperimentalClientFeatures(TaskRequests):
    """`session.experimental`: the tasks of 2025-11-25, which later revisions do not have.

    Args:
        session: The session.
    """

    _request_type: ClassVar[str] = "ClientRequest"

    def __init__(self, session: Sender) -> None:
        super().__init__(session)

    async def call_tool_as_task(
        self,
        name: str,
        arguments: dict[str, Any] | None = None,
        *,
        ttl: int = 60000,
        meta: dict[str, Any] | None = None,
    ) -> types.CreateTaskResult:
        """Call a tool that runs in the background; the answer names the task.

        Args:
            name: The tool's name.
            arguments: The arguments by name. Default: none.
            ttl: For how long the server should keep the task, in milliseconds. Default: one minute.
            meta: The `_meta` of the request. Default: none.
        """
        from ... import types

        params: dict[str, Any] = {"name": name, "arguments": arguments, "task": {"ttl": ttl}, "_meta": meta}
        found = {name: value for name, value in params.items() if value is not None}
        request = types.CallToolRequest(params=types.CallToolRequestParams.model_validate(found))
        return await self._sent(request, types.CreateTaskResult)

    async def list_tasks(self, cursor: str | None = None) -> types.ListTasksResult:
        """List one page of tasks.

        Args:
            cursor: Where the page begins: the `nextCursor` of the page before. Default: the first
                page.
        """
        from ... import types

        params = types.PaginatedRequestParams(cursor=cursor) if cursor else None
        return await self._sent(types.ListTasksRequest(params=params), types.ListTasksResult)

    async def cancel_task(self, task_id: str) -> types.CancelTaskResult:
        """Cancel a task.

        Args:
            task_id: The id of the task.
        """
        from ... import types

        request = types.CancelTaskRequest(params=types.CancelTaskRequestParams(taskId=task_id))
        return await self._sent(request, types.CancelTaskResult)
