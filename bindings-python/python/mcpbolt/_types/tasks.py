"""tasks."""

from datetime import datetime
from pydantic import ConfigDict, Field
from typing import Annotated, Literal, TypeAlias
from ._model import OpenModel
from .base import Notification, NotificationParams, PaginatedRequest, PaginatedResult, Request, RequestParams, Result


TaskStatus: TypeAlias = Literal['working', 'input_required', 'completed', 'failed', 'cancelled']

class RelatedTaskMetadata(OpenModel):
    taskId: str

    @property
    def task_id(self) -> str:
        return self.taskId


class Task(OpenModel):
    taskId: str
    status: TaskStatus
    statusMessage: str | None = None
    createdAt: datetime
    lastUpdatedAt: datetime
    ttl: Annotated[int, Field(strict=True)] | None
    pollInterval: Annotated[int, Field(strict=True)] | None = None

    @property
    def task_id(self) -> str:
        return self.taskId

    @property
    def status_message(self) -> str | None:
        return self.statusMessage

    @property
    def created_at(self) -> datetime:
        return self.createdAt

    @property
    def last_updated_at(self) -> datetime:
        return self.lastUpdatedAt

    @property
    def poll_interval(self) -> Annotated[int, Field(strict=True)] | None:
        return self.pollInterval


class CreateTaskResult(Result):
    task: Task


class GetTaskRequestParams(RequestParams):
    model_config = ConfigDict(extra="allow")
    taskId: str

    @property
    def task_id(self) -> str:
        return self.taskId


class GetTaskRequest(Request[GetTaskRequestParams, Literal['tasks/get']]):
    method: Literal['tasks/get'] = 'tasks/get'
    params: GetTaskRequestParams


class GetTaskResult(Result, Task):
    pass


class GetTaskPayloadRequestParams(RequestParams):
    model_config = ConfigDict(extra="allow")
    taskId: str

    @property
    def task_id(self) -> str:
        return self.taskId


class GetTaskPayloadRequest(Request[GetTaskPayloadRequestParams, Literal['tasks/result']]):
    method: Literal['tasks/result'] = 'tasks/result'
    params: GetTaskPayloadRequestParams


class GetTaskPayloadResult(Result):
    pass


class CancelTaskRequestParams(RequestParams):
    model_config = ConfigDict(extra="allow")
    taskId: str

    @property
    def task_id(self) -> str:
        return self.taskId


class CancelTaskRequest(Request[CancelTaskRequestParams, Literal['tasks/cancel']]):
    method: Literal['tasks/cancel'] = 'tasks/cancel'
    params: CancelTaskRequestParams


class CancelTaskResult(Result, Task):
    pass


class ListTasksRequest(PaginatedRequest[Literal['tasks/list']]):
    method: Literal['tasks/list'] = 'tasks/list'


class ListTasksResult(PaginatedResult):
    tasks: list[Task]


class TaskStatusNotificationParams(NotificationParams, Task):
    pass


class TaskStatusNotification(Notification[TaskStatusNotificationParams, Literal['notifications/tasks/status']]):
    method: Literal['notifications/tasks/status'] = 'notifications/tasks/status'
    params: TaskStatusNotificationParams



