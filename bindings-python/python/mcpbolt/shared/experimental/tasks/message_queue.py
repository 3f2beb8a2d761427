"""Messages of a task for its client, kept until the client asks for them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, Literal

from anyio import Event

if TYPE_CHECKING:
    from ....types import JSONRPCNotification, JSONRPCRequest, RequestId
    from .resolver import Resolver


@dataclass
class QueuedMessage:
    """A queued message."""

    type: Literal["request", "notification"]
    """Whether the message is a request or a notification."""
    message: JSONRPCRequest | JSONRPCNotification
    """The message as JSON-RPC."""
    timestamp: datetime = field(default_factory=lambda: datetime.now(timezone.utc))
    """When the message was queued."""
    resolver: Resolver[dict[str, Any]] | None = None
    """Gets the answer to a request; `None` if nothing waits for it."""
    original_request_id: RequestId | None = None
    """The id that the task gave the request."""


class TaskMessageQueue(ABC):
    """Queues messages by task, in order."""

    @abstractmethod
    async def enqueue(self, task_id: str, message: QueuedMessage) -> None:
        """Add a message to a task's queue.

        Args:
            task_id: The id of the task.
            message: The message.
        """

    @abstractmethod
    async def dequeue(self, task_id: str) -> QueuedMessage | None:
        """Remove and return the first message of a task; `None` if its queue is empty.

        Args:
            task_id: The id of the task.
        """

    @abstractmethod
    async def peek(self, task_id: str) -> QueuedMessage | None:
        """Return the first message of a task without removing it; `None` if its queue is empty.

        Args:
            task_id: The id of the task.
        """

    @abstractmethod
    async def is_empty(self, task_id: str) -> bool:
        """Whether the queue of a task is empty.

        Args:
            task_id: The id of the task.
        """

    @abstractmethod
    async def clear(self, task_id: str) -> list[QueuedMessage]:
        """Remove and return all messages of a task.

        Args:
            task_id: The id of the task.
        """

    @abstractmethod
    async def wait_for_message(self, task_id: str) -> None:
        """Wait until the queue of a task has a message.

        Args:
            task_id: The id of the task.
        """

    @abstractmethod
    async def notify_message_available(self, task_id: str) -> None:
        """Wake all who wait for a message of a task.

        Args:
            task_id: The id of the task.
        """


class InMemoryTaskMessageQueue(TaskMessageQueue):
    """A message queue in the memory of this process."""

    def __init__(self) -> None:
        self._queues: dict[str, deque[QueuedMessage]] = {}
        self._events: dict[str, Event] = {}

    async def enqueue(self, task_id: str, message: QueuedMessage) -> None:
        """Add a message to a task's queue.

        Args:
            task_id: The id of the task.
            message: The message.
        """
        self._queues.setdefault(task_id, deque()).append(message)
        await self.notify_message_available(task_id)

    async def dequeue(self, task_id: str) -> QueuedMessage | None:
        """Remove and return the first message of a task; `None` if its queue is empty.

        Args:
            task_id: The id of the task.
        """
        queue = self._queues.get(task_id)
        return queue.popleft() if queue else None

    async def peek(self, task_id: str) -> QueuedMessage | None:
        """Return the first message of a task without removing it; `None` if its queue is empty.

        Args:
            task_id: The id of the task.
        """
        queue = self._queues.get(task_id)
        return queue[0] if queue else None

    async def is_empty(self, task_id: str) -> bool:
        """Whether the queue of a task is empty.

        Args:
            task_id: The id of the task.
        """
        return not self._queues.get(task_id)

    async def clear(self, task_id: str) -> list[QueuedMessage]:
        """Remove and return all messages of a task.

        Args:
            task_id: The id of the task.
        """
        return list(self._queues.pop(task_id, ()))

    async def wait_for_message(self, task_id: str) -> None:
        """Wait until the queue of a task has a message.

        Args:
            task_id: The id of the task.
        """
        if not await self.is_empty(task_id):
            return
        arrival = self._events.setdefault(task_id, Event())
        # A subclass may have waited, and missed a message that came before anybody waited for it.
        if await self.is_empty(task_id):
            await arrival.wait()

    async def notify_message_available(self, task_id: str) -> None:
        """Wake all who wait for a message of a task.

        Args:
            task_id: The id of the task.
        """
        arrival = self._events.pop(task_id, None)
        if arrival is not None:
            arrival.set()

    def cleanup(self, task_id: str | None = None) -> None:
        """Remove the messages of a task, or of all tasks.

        Args:
            task_id: The id of the task. Default: all tasks.
        """
        for name in [task_id] if task_id is not None else list(self._queues):
            self._queues.pop(name, None)
            self._events.pop(name, None)
