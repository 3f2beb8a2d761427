"""One task, as the code that works on it sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ....types import Result, Task
    from .store import TaskStore


class TaskContext:
    """Says how far a task is; needs no session, only the store."""

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
        """The task as it was last known."""
        return self._task

    @property
    def is_cancelled(self) -> bool:
        """Whether the work is not wanted any more."""
        return self._cancelled

    def request_cancellation(self) -> None:
        """Say so; the work looks at `is_cancelled` by itself."""
        self._cancelled = True

    async def update_status(self, message: str) -> None:
        """Report the task's status message."""
        self._task = await self._store.update_task(self.task_id, status_message=message)

    async def complete(self, result: Result) -> None:
        """Complete the task with its result."""
        await self._store.store_result(self.task_id, result)
        self._task = await self._store.update_task(self.task_id, status="completed")

    async def fail(self, error: str) -> None:
        """Mark the task as failed."""
        self._task = await self._store.update_task(self.task_id, status="failed", status_message=error)
