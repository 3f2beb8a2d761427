"""Where the state of tasks is kept: what a store has to do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ....types import Result, Task, TaskMetadata, TaskStatus


class TaskStore(ABC):
    """Keeps tasks and their results; it runs nothing."""

    @abstractmethod
    async def create_task(self, metadata: TaskMetadata, task_id: str | None = None) -> Task:
        """Begin a task, under an id of its own if none is given.

        Raises:
            ValueError: There is a task of that id.
        """

    @abstractmethod
    async def get_task(self, task_id: str) -> Task | None:
        """The current state of a task; `None` if it is unknown."""

    @abstractmethod
    async def update_task(
        self, task_id: str, status: TaskStatus | None = None, status_message: str | None = None
    ) -> Task:
        """Change how far a task is, or what it says of that.

        Raises:
            ValueError: No task has that id, or it is over.
        """

    @abstractmethod
    async def store_result(self, task_id: str, result: Result) -> None:
        """Keep the result of a task.

        Raises:
            ValueError: No task has that id.
        """

    @abstractmethod
    async def get_result(self, task_id: str) -> Result | None:
        """The result of a task, if it has one."""

    @abstractmethod
    async def list_tasks(self, cursor: str | None = None) -> tuple[list[Task], str | None]:
        """A page of tasks, and the cursor of the next."""

    @abstractmethod
    async def delete_task(self, task_id: str) -> bool:
        """Forget a task; whether there was one."""

    @abstractmethod
    async def wait_for_update(self, task_id: str) -> None:
        """Wait until the status of a task changes.

        Raises:
            ValueError: No task has that id.
        """

    @abstractmethod
    async def notify_update(self, task_id: str) -> None:
        """Wake all that wait for a change of a task."""
