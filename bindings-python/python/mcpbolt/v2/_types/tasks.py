"""Tasks, as 2025-11-25 has them.

Written by `cargo xtask generate`; do not edit.
"""

from typing import Literal, TypeAlias

from ._model import Model
from .base import (
    Notification,
    NotificationParams,
    PaginatedRequest,
    PaginatedResult,
    Request,
    RequestParams,
    Result,
)


class RelatedTaskMetadata(Model):
    """Says in `_meta` which task a message belongs to. 2025-11-25 only."""

    task_id: str
    """The task."""

TaskStatus: TypeAlias = Literal["working", "input_required", "completed", "failed", "cancelled"]
"""The status of a task. 2025-11-25 only."""


class Task(Model):
    """A request that runs on its own. 2025-11-25 only."""

    task_id: str
    """The id of the task."""
    status: TaskStatus
    """The status of the task."""
    status_message: str | None = None
    """A text about the status, for people."""
    created_at: str
    """When it was created, in ISO 8601."""
    last_updated_at: str
    """When it last changed, in ISO 8601."""
    ttl: int | None
    """How long it is kept once created, in milliseconds; `null` is for ever."""
    poll_interval: int | None = None
    """How long to wait between two polls, in milliseconds."""


class CreateTaskResult(Result):
    """Answer to a request that became a task. 2025-11-25 only."""

    task: Task
    """The task."""


class GetTaskRequestParams(RequestParams):
    """Params of `tasks/get`."""

    task_id: str
    """The task."""


class GetTaskRequest(Request[GetTaskRequestParams, Literal["tasks/get"]]):
    """Request `tasks/get` from either side. Since 2025-11-25."""

    method: Literal["tasks/get"] = "tasks/get"
    """The method."""
    params: GetTaskRequestParams
    """What it is about."""


class GetTaskResult(Result, Task):
    """Result of `tasks/get`."""


class CancelTaskRequestParams(RequestParams):
    """Params of `tasks/cancel`."""

    task_id: str
    """The task."""


class CancelTaskRequest(Request[CancelTaskRequestParams, Literal["tasks/cancel"]]):
    """Request `tasks/cancel` from either side. Since 2025-11-25."""

    method: Literal["tasks/cancel"] = "tasks/cancel"
    """The method."""
    params: CancelTaskRequestParams
    """What it is about."""


class CancelTaskResult(Result, Task):
    """Result of `tasks/cancel`."""


class TaskStatusNotificationParams(NotificationParams, Task):
    """Params of `notifications/tasks/status`. 2025-11-25 only."""


class TaskStatusNotification(Notification[TaskStatusNotificationParams, Literal["notifications/tasks/status"]]):
    """Notification `notifications/tasks/status` from either side. 2025-11-25 only."""

    method: Literal["notifications/tasks/status"] = "notifications/tasks/status"
    """The method."""
    params: TaskStatusNotificationParams
    """What it is about."""


class GetTaskPayloadRequestParams(RequestParams):
    """Params of `tasks/result`. 2025-11-25 only."""

    task_id: str
    """The task."""


class GetTaskPayloadRequest(Request[GetTaskPayloadRequestParams, Literal["tasks/result"]]):
    """Request `tasks/result` from either side. 2025-11-25 only."""

    method: Literal["tasks/result"] = "tasks/result"
    """The method."""
    params: GetTaskPayloadRequestParams
    """What it is about."""


class GetTaskPayloadResult(Result):
    """Result of `tasks/result`: what the request would have been answered. 2025-11-25 only."""


class ListTasksRequest(PaginatedRequest[Literal["tasks/list"]]):
    """Request `tasks/list` from either side. 2025-11-25 only."""

    method: Literal["tasks/list"] = "tasks/list"
    """The method."""


class ListTasksResult(PaginatedResult):
    """Result of `tasks/list`. 2025-11-25 only."""

    tasks: list[Task]
    """The tasks of this page."""
