"""Answering `tasks/result`: a task's questions are delivered, and its result once it is over.

Owns: the loop of such a request, and which answer belongs to which question. Must not know: what
a task asks, or how a session sends.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from anyio import create_task_group
from anyio.lowlevel import checkpoint

from ...shared.exceptions import McpError
from ...shared.experimental.tasks.helpers import RELATED_TASK_METADATA_KEY, is_terminal
from .._error_responses import INVALID_PARAMS

if TYPE_CHECKING:
    from ...shared.experimental.tasks.message_queue import TaskMessageQueue
    from ...shared.experimental.tasks.resolver import Resolver
    from ...shared.experimental.tasks.store import TaskStore
    from ...shared.message import SessionMessage
    from ...types import ErrorData, GetTaskPayloadRequest, GetTaskPayloadResult, RequestId

CONNECTION_CLOSED = -32000
logger: logging.Logger = logging.getLogger("mcp.server.experimental.task_result_handler")


class TaskResultHandler:
    """Answers `tasks/result`: sends the messages that wait in the queue of a task, hands the
    client's answers to the work, and returns the result once the task is over. It does not
    check which client asks; the handler of `enable_tasks()` does.

    Args:
        store: Where tasks are stored.
        queue: Where messages of tasks wait for their client.
    """

    def __init__(self, store: TaskStore, queue: TaskMessageQueue) -> None:
        self._store = store
        self._queue = queue
        # What waits for an answer, by the id that the work gave its request.
        self._pending_requests: dict[RequestId, Resolver[dict[str, Any]]] = {}
        # Why nobody can answer, while nobody can.
        self._given_up: str | None = None

    def expect(self, request_id: RequestId, resolver: Resolver[dict[str, Any]]) -> None:
        """Hand the answer to a request over as soon as it comes.

        Args:
            request_id: The id that the work gave the request.
            resolver: Gets the answer.

        Raises:
            McpError: Nobody can answer any more.
        """
        if self._given_up is not None:
            raise McpError(CONNECTION_CLOSED, self._given_up)
        self._pending_requests[request_id] = resolver

    async def send_message(self, session: Any, message: SessionMessage) -> None:
        """Send a message of a task to its client.

        Args:
            session: The session with the client.
            message: The message.
        """
        await session.send_message(message)

    async def handle(
        self, request: GetTaskPayloadRequest, session: Any, request_id: RequestId
    ) -> GetTaskPayloadResult:
        """Answer a request, once its task is over.

        Args:
            request: The request.
            session: The session that it came from.
            request_id: Its id, which the messages of the task are sent along with.

        Raises:
            McpError: There is no such task, or no more; code -32602.
        """
        task_id = request.params.taskId
        while True:
            task = await self._store.get_task(task_id)
            if task is None:
                raise McpError(INVALID_PARAMS, f"Task not found: {task_id}")
            await self._deliver_queued_messages(task_id, session, request_id)
            if is_terminal(task.status):
                return await self._payload(task_id)
            await self._wait_for_task_update(task_id)

    async def _payload(self, task_id: str) -> GetTaskPayloadResult:
        from ...types import GetTaskPayloadResult

        result = await self._store.get_result(task_id)
        values: dict[str, Any] = {}
        if result is not None:
            values = result.model_dump(by_alias=True, mode="json", exclude_none=True)
        values["_meta"] = {**(values.get("_meta") or {}), RELATED_TASK_METADATA_KEY: {"taskId": task_id}}
        return GetTaskPayloadResult.model_validate(values)

    async def _deliver_queued_messages(self, task_id: str, session: Any, request_id: RequestId) -> None:
        from ...shared.message import ServerMessageMetadata, SessionMessage
        from ...types import JSONRPCMessage

        while (queued := await self._queue.dequeue(task_id)) is not None:
            number = queued.original_request_id
            if queued.type == "request" and queued.resolver is not None and number is not None:
                self._pending_requests[number] = queued.resolver
            logger.debug("Sending a queued %s of task %s", queued.type, task_id)
            beside = ServerMessageMetadata(related_request_id=request_id)
            await self.send_message(session, SessionMessage(JSONRPCMessage(queued.message), beside))

    async def _wait_for_task_update(self, task_id: str) -> None:
        """Wait until a task has changed or has a message."""
        async with create_task_group() as group:

            async def wake_after(wait: Callable[[str], Awaitable[None]]) -> None:
                try:
                    await wait(task_id)
                except Exception:
                    logger.debug("Task %s cannot be waited for", task_id, exc_info=True)
                group.cancel_scope.cancel()

            group.start_soon(wake_after, self._store.wait_for_update)
            group.start_soon(wake_after, self._queue.wait_for_message)
            # A change is only waited for from here on, so what changed before is looked for.
            await checkpoint()
            task = await self._store.get_task(task_id)
            if task is None or is_terminal(task.status):
                group.cancel_scope.cancel()

    def route_response(self, request_id: RequestId, response: dict[str, Any]) -> bool:
        """Hand a client's answer to the work that waits for it; returns whether any does.

        Args:
            request_id: The id that the work gave its request.
            response: The result.
        """
        waiting = self._waiting(request_id)
        if waiting is not None:
            waiting.set_result(response)
        return waiting is not None

    def route_error(self, request_id: RequestId, error: ErrorData) -> bool:
        """Raise a client's error in the work that waits for its answer; returns whether any does.

        Args:
            request_id: The id that the work gave its request.
            error: The error.
        """
        waiting = self._waiting(request_id)
        if waiting is not None:
            waiting.set_exception(McpError(error))
        return waiting is not None

    def _waiting(self, request_id: RequestId) -> Resolver[dict[str, Any]] | None:
        found = self._pending_requests.pop(request_id, None)
        return None if found is None or found.done() else found

    def give_up(self, reason: str | None) -> None:
        """Fail everything that waits for an answer, and what is asked from now on.

        Args:
            reason: Why nobody can answer; `None` if somebody can again.
        """
        self._given_up = reason
        if reason is None:
            return
        for number in list(self._pending_requests):
            waiting = self._waiting(number)
            if waiting is not None:
                waiting.set_exception(McpError(CONNECTION_CLOSED, reason))
