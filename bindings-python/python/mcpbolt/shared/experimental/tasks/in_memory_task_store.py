"""A task store in the memory of this process."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from itertools import islice
from typing import TYPE_CHECKING

from anyio import Event

from .helpers import create_task_state, is_terminal
from .store import TaskStore

if TYPE_CHECKING:
    from ....types import Result, Task, TaskMetadata, TaskStatus


@dataclass
class StoredTask:
    """A task and its result."""

    task: Task
    """The task."""
    result: Result | None = None
    """The result; `None` until there is one."""
    expires_at: datetime | None = None
    """When the store may remove the task; `None` for never."""


class InMemoryTaskStore(TaskStore):
    """Stores tasks in the memory of this process. Expired tasks are removed on the next
    access. It returns copies of its tasks.

    Args:
        page_size: How many tasks a page of the list has. Default: 10.
    """

    def __init__(self, page_size: int = 10) -> None:
        self._tasks: dict[str, StoredTask] = {}
        self._page_size = page_size
        self._update_events: dict[str, Event] = {}

    def _forget_old(self) -> None:
        now = datetime.now(timezone.utc)
        old = [name for name, kept in self._tasks.items() if kept.expires_at is not None and now >= kept.expires_at]
        for name in old:
            self._drop(name)

    def _drop(self, task_id: str) -> None:
        del self._tasks[task_id]
        waiting = self._update_events.pop(task_id, None)
        if waiting is not None:
            waiting.set()

    def _kept(self, task_id: str) -> StoredTask:
        kept = self._tasks.get(task_id)
        if kept is None:
            raise ValueError(f"Task with ID {task_id} not found")
        return kept

    async def create_task(self, metadata: TaskMetadata, task_id: str | None = None) -> Task:
        """Create a task, under a new id if none is given.

        Args:
            metadata: How long the requester wants the task to be kept.
            task_id: The id of the task. Default: a new one.
        """
        self._forget_old()
        task = create_task_state(metadata, task_id)
        if task.taskId in self._tasks:
            raise ValueError(f"Task with ID {task.taskId} already exists")
        self._tasks[task.taskId] = StoredTask(task, expires_at=_after(metadata.ttl))
        return task.model_copy()

    async def get_task(self, task_id: str) -> Task | None:
        """Return the current state of a task, or `None` if there is none with this id.

        Args:
            task_id: The id of the task.
        """
        self._forget_old()
        kept = self._tasks.get(task_id)
        return None if kept is None else kept.task.model_copy()

    async def update_task(
        self, task_id: str, status: TaskStatus | None = None, status_message: str | None = None
    ) -> Task:
        """Change the status of a task, or its status message.

        Args:
            task_id: The id of the task.
            status: The new status. Default: as it is.
            status_message: The new status message. Default: as it is.
        """
        kept = self._kept(task_id)
        task = kept.task
        changes = status is not None and status != task.status
        if changes and is_terminal(task.status):
            raise ValueError(f"Cannot transition from terminal status '{task.status}'")
        if status is not None:
            task.status = status
        if status_message is not None:
            task.statusMessage = status_message
        task.lastUpdatedAt = datetime.now(timezone.utc)
        if status is not None and is_terminal(status) and task.ttl is not None:
            kept.expires_at = _after(task.ttl)
        if changes:
            await self.notify_update(task_id)
        return task.model_copy()

    async def store_result(self, task_id: str, result: Result) -> None:
        """Store the result of a task.

        Args:
            task_id: The id of the task.
            result: The result.
        """
        self._kept(task_id).result = result

    async def get_result(self, task_id: str) -> Result | None:
        """Return the result of a task, or `None` if it has none yet.

        Args:
            task_id: The id of the task.
        """
        kept = self._tasks.get(task_id)
        return None if kept is None else kept.result

    async def list_tasks(self, cursor: str | None = None) -> tuple[list[Task], str | None]:
        """Return a page of tasks, and the cursor of the next page.

        Args:
            cursor: Where the page begins: the `nextCursor` of the page before. Default: the first
                page.

        Raises:
            ValueError: The cursor is not the id of a task.
        """
        self._forget_old()
        names = list(self._tasks)
        if cursor is not None and cursor not in self._tasks:
            raise ValueError(f"Invalid cursor: {cursor}")
        start = 0 if cursor is None else names.index(cursor) + 1
        page = list(islice(names, start, start + self._page_size))
        more = start + self._page_size < len(names) and bool(page)
        return [self._tasks[name].task.model_copy() for name in page], page[-1] if more else None

    async def delete_task(self, task_id: str) -> bool:
        """Remove a task; returns whether there was one.

        Args:
            task_id: The id of the task.
        """
        if task_id not in self._tasks:
            return False
        self._drop(task_id)
        return True

    async def wait_for_update(self, task_id: str) -> None:
        """Wait until the status of a task changes. Removing the task ends the wait too.

        Args:
            task_id: The id of the task.
        """
        self._kept(task_id)
        await self._update_events.setdefault(task_id, Event()).wait()

    async def notify_update(self, task_id: str) -> None:
        """Wake all who wait for an update of a task.

        Args:
            task_id: The id of the task.
        """
        waiting = self._update_events.pop(task_id, None)
        if waiting is not None:
            waiting.set()

    def cleanup(self) -> None:
        """Remove all tasks."""
        for name in list(self._tasks):
            self._drop(name)

    def get_all_tasks(self) -> list[Task]:
        """All stored tasks."""
        self._forget_old()
        return [kept.task.model_copy() for kept in self._tasks.values()]


def _after(milliseconds: int | None) -> datetime | None:
    if milliseconds is None:
        return None
    return datetime.now(timezone.utc) + timedelta(milliseconds=milliseconds)
