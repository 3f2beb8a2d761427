"""The interface of stores for the state of tasks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ....types import Result, Task, TaskMetadata, TaskStatus


class TaskStore(ABC):
    """Stores tasks and their results. It does not run them."""

    @abstractmethod
    async def create_task(self, metadata: TaskMetadata, task_id: str | None = None) -> Task:
        """Create a task, under a new id if none is given.

        Args:
            metadata: How long the requester wants the task to be kept.
            task_id: The id of the task. Default: a new one.

        Raises:
            ValueError: There is a task with this id already.
        """

    @abstractmethod
    async def get_task(self, task_id: str) -> Task | None:
        """Return the current state of a task, or `None` if there is none with this id.

        Args:
            task_id: The id of the task.
        """

    @abstractmethod
    async def update_task(
        self, task_id: str, status: TaskStatus | None = None, status_message: str | None = None
    ) -> Task:
        """Change the status of a task, or its status message.

        Args:
            task_id: The id of the task.
            status: The new status. Default: as it is.
            status_message: The new status message. Default: as it is.

        Raises:
            ValueError: There is no task with this id, or it is over.
        """

    @abstractmethod
    async def store_result(self, task_id: str, result: Result) -> None:
        """Store the result of a task.

        Args:
            task_id: The id of the task.
            result: The result.

        Raises:
            ValueError: There is no task with this id.
        """

    @abstractmethod
    async def get_result(self, task_id: str) -> Result | None:
        """Return the result of a task, or `None` if it has none yet.

        Args:
            task_id: The id of the task.
        """

    @abstractmethod
    async def list_tasks(self, cursor: str | None = None) -> tuple[list[Task], str | None]:
        """Return a page of tasks, and the cursor of the next page.

        Args:
            cursor: Where the page begins: the `nextCursor` of the page before. Default: the first
                page.
        """

    @abstractmethod
    async def delete_task(self, task_id: str) -> bool:
        """Remove a task; returns whether there was one.

        Args:
            task_id: The id of the task.
        """

    @abstractmethod
    async def wait_for_update(self, task_id: str) -> None:
        """Wait until the status of a task changes.

        Args:
            task_id: The id of the task.

        Raises:
            ValueError: There is no task with this id.
        """

    @abstractmethod
    async def notify_update(self, task_id: str) -> None:
        """Wake all who wait for an update of a task.

        Args:
            task_id: The id of the task.
        """
