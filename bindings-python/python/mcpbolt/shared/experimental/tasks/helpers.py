"""Helpers that stores and workers of tasks share."""

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
"""In `_meta` of a `CreateTaskResult`: what a model may be told meanwhile."""

RELATED_TASK_METADATA_KEY: str = "io.modelcontextprotocol/related-task"
"""In `_meta`: which task a message belongs to."""

# Milliseconds between questions, unless a store says otherwise.
POLL_INTERVAL = 500
INVALID_PARAMS = -32602


def is_terminal(status: TaskStatus) -> bool:
    """Whether a task of this status is over."""
    return status in ("completed", "failed", "cancelled")


async def cancel_task(store: TaskStore, task_id: str) -> CancelTaskResult:
    """Cancel a task.

    Raises:
        McpError: -32602, if no task has that id or it is over.
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
    """A new, unique task id."""
    return str(uuid4())


def create_task_state(metadata: TaskMetadata, task_id: str | None = None) -> Task:
    """A task that has just begun."""
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
    """Work on a task: an exception of the work ends here and makes the task fail.

    Raises:
        ValueError: No task has that id.
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
