"""One task, for the code that works on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ....types import Result, Task
    from .store import TaskStore


class TaskContext:
    """Reports the progress of a task. It needs only the store, not a session.

    Args:
        task: The task.
        store: Where it is stored.
    """

    def __init__(self, task: Task, store: TaskStore) -> None:
        self._task = task
        self._store = store
        self._cancelled = False

    @property
    def task_id(self) -> str:
        """The id of the task."""
        return self._task.taskId

    @property
    def task(self) -> Task:
        """The task, as of the last update through this object."""
        return self._task

    @property
    def is_cancelled(self) -> bool:
        """Whether cancellation was requested."""
        return self._cancelled

    def request_cancellation(self) -> None:
        """Request cancellation. The work has to check `is_cancelled` by itself."""
        self._cancelled = True

    async def update_status(self, message: str) -> None:
        """Set the status message of the task.

        Args:
            message: The status message.
        """
        self._task = await self._store.update_task(self.task_id, status_message=message)

    async def complete(self, result: Result) -> None:
        """Store the result and mark the task as completed.

        Args:
            result: The result.
        """
        await self._store.store_result(self.task_id, result)
        self._task = await self._store.update_task(self.task_id, status="completed")

    async def fail(self, error: str) -> None:
        """Mark the task as failed, with an error message.

        Args:
            error: The error message.
        """
        self._task = await self._store.update_task(self.task_id, status="failed", status_message=error)
