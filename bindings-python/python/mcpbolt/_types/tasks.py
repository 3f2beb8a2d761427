"""Tasks, as 2025-11-25 has them.

Written by `cargo xtask generate`; do not edit.
"""

from datetime import datetime
from typing import Literal, TypeAlias

from ._model import OpenModel, StrictInt
from .base import (
    Notification,
    NotificationParams,
    PaginatedRequest,
    PaginatedResult,
    Request,
    RequestParams,
    Result,
)

TaskStatus: TypeAlias = Literal["working", "input_required", "completed", "failed", "cancelled"]
"""The status of a task. 2025-11-25 only."""


class RelatedTaskMetadata(OpenModel):
    """Says in `_meta` which task a message belongs to. 2025-11-25 only."""

    taskId: str
    """The task."""

    @property
    def task_id(self) -> str:
        """`taskId`."""
        return self.taskId


class Task(OpenModel):
    """A request that runs on its own. 2025-11-25 only."""

    taskId: str
    """The id of the task."""
    status: TaskStatus
    """The status of the task."""
    statusMessage: str | None = None
    """A text about the status, for people."""
    createdAt: datetime
    """When it was created, in ISO 8601."""
    lastUpdatedAt: datetime
    """When it last changed, in ISO 8601."""
    ttl: StrictInt | None
    """How long it is kept once created, in milliseconds; `null` is for ever."""
    pollInterval: StrictInt | None = None
    """How long to wait between two polls, in milliseconds."""

    @property
    def task_id(self) -> str:
        """`taskId`."""
        return self.taskId

    @property
    def status_message(self) -> str | None:
        """`statusMessage`."""
        return self.statusMessage

    @property
    def created_at(self) -> datetime:
        """`createdAt`."""
        return self.createdAt

    @property
    def last_updated_at(self) -> datetime:
        """`lastUpdatedAt`."""
        return self.lastUpdatedAt

    @property
    def poll_interval(self) -> StrictInt | None:
        """`pollInterval`."""
        return self.pollInterval


class CreateTaskResult(Result):
    """Answer to a request that became a task. 2025-11-25 only."""

    task: Task
    """The task."""


class GetTaskRequestParams(RequestParams, extra="allow"):
    """Params of `tasks/get`."""

    taskId: str
    """The task."""

    @property
    def task_id(self) -> str:
        """`taskId`."""
        return self.taskId


class GetTaskRequest(Request[GetTaskRequestParams, Literal["tasks/get"]]):
    """Request `tasks/get` from either side. Since 2025-11-25."""

    method: Literal["tasks/get"] = "tasks/get"
    """The method."""
    params: GetTaskRequestParams
    """What it is about."""


class GetTaskResult(Result, Task):
    """Result of `tasks/get`."""


class GetTaskPayloadRequestParams(RequestParams, extra="allow"):
    """Params of `tasks/result`. 2025-11-25 only."""

    taskId: str
    """The task."""

    @property
    def task_id(self) -> str:
        """`taskId`."""
        return self.taskId


class GetTaskPayloadRequest(Request[GetTaskPayloadRequestParams, Literal["tasks/result"]]):
    """Request `tasks/result` from either side. 2025-11-25 only."""

    method: Literal["tasks/result"] = "tasks/result"
    """The method."""
    params: GetTaskPayloadRequestParams
    """What it is about."""


class GetTaskPayloadResult(Result):
    """Result of `tasks/result`: what the request would have been answered. 2025-11-25 only."""


class CancelTaskRequestParams(RequestParams, extra="allow"):
    """Params of `tasks/cancel`."""

    taskId: str
    """The task."""

    @property
    def task_id(self) -> str:
        """`taskId`."""
        return self.taskId


class CancelTaskRequest(Request[CancelTaskRequestParams, Literal["tasks/cancel"]]):
    """Request `tasks/cancel` from either side. Since 2025-11-25."""

    method: Literal["tasks/cancel"] = "tasks/cancel"
    """The method."""
    params: CancelTaskRequestParams
    """What it is about."""


class CancelTaskResult(Result, Task):
    """Result of `tasks/cancel`."""


class ListTasksRequest(PaginatedRequest[Literal["tasks/list"]]):
    """Request `tasks/list` from either side. 2025-11-25 only."""

    method: Literal["tasks/list"] = "tasks/list"
    """The method."""


class ListTasksResult(PaginatedResult):
    """Result of `tasks/list`. 2025-11-25 only."""

    tasks: list[Task]
    """The tasks of this page."""


class TaskStatusNotificationParams(NotificationParams, Task):
    """Params of `notifications/tasks/status`. 2025-11-25 only."""


class TaskStatusNotification(Notification[TaskStatusNotificationParams, Literal["notifications/tasks/status"]]):
    """Notification `notifications/tasks/status` from either side. 2025-11-25 only."""

    method: Literal["notifications/tasks/status"] = "notifications/tasks/status"
    """The method."""
    params: TaskStatusNotificationParams
    """What it is about."""
