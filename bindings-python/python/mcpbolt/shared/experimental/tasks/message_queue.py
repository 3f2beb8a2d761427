"""Messages a task has for its client, kept until the client comes for them."""

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
    """A message that waits in a task's queue."""

    type: Literal["request", "notification"]
    """Whether the message is a request or a notification."""
    message: JSONRPCRequest | JSONRPCNotification
    """The message."""
    timestamp: datetime = field(default_factory=lambda: datetime.now(timezone.utc))
    """The time the message was queued."""
    resolver: Resolver[dict[str, Any]] | None = None
    """The resolver of the answer that is waited for."""
    original_request_id: RequestId | None = None
    """The request id the task gave the message."""


class TaskMessageQueue(ABC):
    """Queues of messages, one per task, each in order."""

    @abstractmethod
    async def enqueue(self, task_id: str, message: QueuedMessage) -> None:
        """Add a message to a task's queue."""

    @abstractmethod
    async def dequeue(self, task_id: str) -> QueuedMessage | None:
        """Remove and return the first message of a task's queue."""

    @abstractmethod
    async def peek(self, task_id: str) -> QueuedMessage | None:
        """Return the first message of a task's queue without removing it."""

    @abstractmethod
    async def is_empty(self, task_id: str) -> bool:
        """Whether a task's queue is empty."""

    @abstractmethod
    async def clear(self, task_id: str) -> list[QueuedMessage]:
        """Remove and return all messages of a task's queue."""

    @abstractmethod
    async def wait_for_message(self, task_id: str) -> None:
        """Wait until a task's queue has a message."""

    @abstractmethod
    async def notify_message_available(self, task_id: str) -> None:
        """Wake all that wait for a message of a task."""


class InMemoryTaskMessageQueue(TaskMessageQueue):
    """A queue in the memory of this process."""

    def __init__(self) -> None:
        self._queues: dict[str, deque[QueuedMessage]] = {}
        self._arrivals: dict[str, Event] = {}

    async def enqueue(self, task_id: str, message: QueuedMessage) -> None:
        """See `TaskMessageQueue`."""
        self._queues.setdefault(task_id, deque()).append(message)
        await self.notify_message_available(task_id)

    async def dequeue(self, task_id: str) -> QueuedMessage | None:
        """See `TaskMessageQueue`."""
        queue = self._queues.get(task_id)
        return queue.popleft() if queue else None

    async def peek(self, task_id: str) -> QueuedMessage | None:
        """See `TaskMessageQueue`."""
        queue = self._queues.get(task_id)
        return queue[0] if queue else None

    async def is_empty(self, task_id: str) -> bool:
        """See `TaskMessageQueue`."""
        return not self._queues.get(task_id)

    async def clear(self, task_id: str) -> list[QueuedMessage]:
        """See `TaskMessageQueue`."""
        return list(self._queues.pop(task_id, ()))

    async def wait_for_message(self, task_id: str) -> None:
        """See `TaskMessageQueue`."""
        if not self._queues.get(task_id):
            await self._arrivals.setdefault(task_id, Event()).wait()

    async def notify_message_available(self, task_id: str) -> None:
        """See `TaskMessageQueue`."""
        arrival = self._arrivals.pop(task_id, None)
        if arrival is not None:
            arrival.set()

    def cleanup(self, task_id: str | None = None) -> None:
        """Forget the messages of a task, or of all."""
        for name in [task_id] if task_id is not None else list(self._queues):
            self._queues.pop(name, None)
            self._arrivals.pop(name, None)
