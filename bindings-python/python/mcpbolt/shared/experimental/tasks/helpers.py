"""Helpers for stores and workers of tasks."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import datetime, timezone
from typing import TYPE_CHECKING
from uuid import uuid4

from ...exceptions import McpError
from .context import TaskContext

if TYPE_CHECKING:
    from ....types import CancelTaskResult, Task, TaskMetadata, TaskStatus
    from .store import TaskStore

MODEL_IMMEDIATE_RESPONSE_KEY: str = "io.modelcontextprotocol/model-immediate-response"
"""A key in `_meta` of a `CreateTaskResult`: what to tell the model while the task runs."""

RELATED_TASK_METADATA_KEY: str = "io.modelcontextprotocol/related-task"
"""A key in `_meta`: the task that a message belongs to."""

# Milliseconds between polls, unless a store sets another interval.
POLL_INTERVAL = 500
INVALID_PARAMS = -32602


def is_terminal(status: TaskStatus) -> bool:
    """Whether a task with this status is over.

    Args:
        status: The status.
    """
    return status in ("completed", "failed", "cancelled")


async def cancel_task(store: TaskStore, task_id: str) -> CancelTaskResult:
    """Cancel a task.

    Args:
        store: Where tasks are stored.
        task_id: The id of the task.

    Raises:
        McpError: There is no task with this id, or it is over; code -32602.
    """
    from ....types import CancelTaskResult

    task = await store.get_task(task_id)
    if task is None:
        raise McpError(INVALID_PARAMS, f"Task not found: {task_id}")
    if is_terminal(task.status):
        raise McpError(INVALID_PARAMS, f"Cannot cancel task in terminal state '{task.status}'")
    cancelled = await store.update_task(task_id, status="cancelled")
    return CancelTaskResult.model_validate(cancelled.model_dump())


def generate_task_id() -> str:
    """Make a unique task id."""
    return str(uuid4())


def create_task_state(metadata: TaskMetadata, task_id: str | None = None) -> Task:
    """Make a task that has just begun.

    Args:
        metadata: How long the requester wants the task to be kept.
        task_id: The id of the task. Default: a new one.
    """
    from ....types import Task

    now = datetime.now(timezone.utc)
    return Task(
        taskId=task_id or generate_task_id(),
        status="working",
        createdAt=now,
        lastUpdatedAt=now,
        ttl=metadata.ttl,
        pollInterval=POLL_INTERVAL,
    )


@asynccontextmanager
async def task_execution(task_id: str, store: TaskStore) -> AsyncGenerator[TaskContext, None]:
    """Work on a task inside the context. An exception makes the task fail and is not raised
    further.

    Args:
        task_id: The id of the task.
        store: Where tasks are stored.

    Raises:
        ValueError: There is no task with this id.
    """
    task = await store.get_task(task_id)
    if task is None:
        raise ValueError(f"Task {task_id} not found")
    context = TaskContext(task, store)
    try:
        yield context
    except Exception as error:
        if not is_terminal(context.task.status):
            await context.fail(str(error))
