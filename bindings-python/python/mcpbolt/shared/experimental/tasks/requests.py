"""Requests about tasks of the other side, which a client and a server both can make.

Owns: these requests. Must not know: which side it is on, or how a session sends.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from .polling import poll_until_terminal

if TYPE_CHECKING:
    from .... import types

ResultT = TypeVar("ResultT")


class TaskRequests:
    """Requests about tasks of the other side, of revision 2025-11-25.

    Args:
        session: The session that sends them.
    """

    # The model that a session of this side takes requests in.
    _request_type: ClassVar[str]

    def __init__(self, session: Any) -> None:
        self._session = session

    async def get_task(self, task_id: str) -> types.GetTaskResult:
        """Get the status of a task.

        Args:
            task_id: The id of the task.
        """
        from .... import types

        request = types.GetTaskRequest(params=types.GetTaskRequestParams(taskId=task_id))
        return await self._sent(request, types.GetTaskResult)

    async def get_task_result(self, task_id: str, result_type: type[ResultT]) -> ResultT:
        """Get the result of a task as the given type, which is the result type of the task's
        request. Waits until the task is over.

        Args:
            task_id: The id of the task.
            result_type: The model of the result.
        """
        from .... import types

        request = types.GetTaskPayloadRequest(params=types.GetTaskPayloadRequestParams(taskId=task_id))
        return await self._sent(request, result_type)

    async def poll_task(self, task_id: str) -> AsyncGenerator[types.GetTaskResult, None]:
        """Yield the status of a task again and again until it is over.

        Args:
            task_id: The id of the task.
        """
        async for task in poll_until_terminal(self.get_task, task_id):
            yield task

    async def _sent(self, request: Any, result_type: type[ResultT]) -> ResultT:
        from .... import types

        found: ResultT = await self._session.send_request(getattr(types, self._request_type)(request), result_type)
        return found
