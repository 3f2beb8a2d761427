"""Tasks of 2025-11-25 on a client: what answers a server that began them or asks for them.

Owns: the handlers, the capability that follows from them, and which request is for which. Must
not know: sessions, or how an answer travels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from ... import types
    from ...shared.context import RequestContext

METHOD_NOT_FOUND = -32601
INVALID_REQUEST = -32600
# The methods about tasks of a client, with the member of the handlers that answers each.
ABOUT_TASKS = {
    "tasks/get": "get_task",
    "tasks/result": "get_task_result",
    "tasks/list": "list_tasks",
    "tasks/cancel": "cancel_task",
}
# The methods that may be called as tasks, with the member of the handlers that begins one.
AS_TASKS = {"sampling/createMessage": "augmented_sampling", "elicitation/create": "augmented_elicitation"}


class GetTaskHandlerFnT(Protocol):
    """Answers `tasks/get`."""

    async def __call__(
        self, context: RequestContext[Any, Any], params: types.GetTaskRequestParams
    ) -> types.GetTaskResult | types.ErrorData:
        """Return the status of the task, or `ErrorData`."""
        ...


class GetTaskResultHandlerFnT(Protocol):
    """Answers `tasks/result`."""

    async def __call__(
        self, context: RequestContext[Any, Any], params: types.GetTaskPayloadRequestParams
    ) -> types.GetTaskPayloadResult | types.ErrorData:
        """Return the result of the task once it is over, or `ErrorData`."""
        ...


class ListTasksHandlerFnT(Protocol):
    """Answers `tasks/list`."""

    async def __call__(
        self, context: RequestContext[Any, Any], params: types.PaginatedRequestParams | None
    ) -> types.ListTasksResult | types.ErrorData:
        """Return a page of tasks, or `ErrorData`."""
        ...


class CancelTaskHandlerFnT(Protocol):
    """Answers `tasks/cancel`."""

    async def __call__(
        self, context: RequestContext[Any, Any], params: types.CancelTaskRequestParams
    ) -> types.CancelTaskResult | types.ErrorData:
        """Cancel the task and return its status, or `ErrorData`."""
        ...


class TaskAugmentedSamplingFnT(Protocol):
    """Begins a task for a server that wants a message of a language model."""

    async def __call__(
        self,
        context: RequestContext[Any, Any],
        params: types.CreateMessageRequestParams,
        task_metadata: types.TaskMetadata,
    ) -> types.CreateTaskResult | types.ErrorData:
        """Return the task at once, or `ErrorData`; its work goes on."""
        ...


class TaskAugmentedElicitationFnT(Protocol):
    """Begins a task for a server that wants to ask the user."""

    async def __call__(
        self, context: RequestContext[Any, Any], params: types.ElicitRequestParams, task_metadata: types.TaskMetadata
    ) -> types.CreateTaskResult | types.ErrorData:
        """Return the task at once, or `ErrorData`; its work goes on."""
        ...


def _refusal(code: int, words: str) -> types.ErrorData:
    from ...types import ErrorData

    return ErrorData(code=code, message=words)


async def default_get_task_handler(
    context: RequestContext[Any, Any], params: types.GetTaskRequestParams
) -> types.GetTaskResult | types.ErrorData:
    """Refuse: tasks/get not supported.

    Args:
        context: The context of the request.
        params: Its params.
    """
    return _refusal(METHOD_NOT_FOUND, "tasks/get not supported")


async def default_get_task_result_handler(
    context: RequestContext[Any, Any], params: types.GetTaskPayloadRequestParams
) -> types.GetTaskPayloadResult | types.ErrorData:
    """Refuse: tasks/result not supported.

    Args:
        context: The context of the request.
        params: Its params.
    """
    return _refusal(METHOD_NOT_FOUND, "tasks/result not supported")


async def default_list_tasks_handler(
    context: RequestContext[Any, Any], params: types.PaginatedRequestParams | None
) -> types.ListTasksResult | types.ErrorData:
    """Refuse: tasks/list not supported.

    Args:
        context: The context of the request.
        params: Its params.
    """
    return _refusal(METHOD_NOT_FOUND, "tasks/list not supported")


async def default_cancel_task_handler(
    context: RequestContext[Any, Any], params: types.CancelTaskRequestParams
) -> types.CancelTaskResult | types.ErrorData:
    """Refuse: tasks/cancel not supported.

    Args:
        context: The context of the request.
        params: Its params.
    """
    return _refusal(METHOD_NOT_FOUND, "tasks/cancel not supported")


async def default_task_augmented_sampling(
    context: RequestContext[Any, Any], params: types.CreateMessageRequestParams, task_metadata: types.TaskMetadata
) -> types.CreateTaskResult | types.ErrorData:
    """Refuse: Task-augmented sampling not supported.

    Args:
        context: The context of the request.
        params: Its params.
        task_metadata: What the server wants of the task.
    """
    return _refusal(INVALID_REQUEST, "Task-augmented sampling not supported")


async def default_task_augmented_elicitation(
    context: RequestContext[Any, Any], params: types.ElicitRequestParams, task_metadata: types.TaskMetadata
) -> types.CreateTaskResult | types.ErrorData:
    """Refuse: Task-augmented elicitation not supported.

    Args:
        context: The context of the request.
        params: Its params.
        task_metadata: What the server wants of the task.
    """
    return _refusal(INVALID_REQUEST, "Task-augmented elicitation not supported")


# The names that they had before.
default_task_augmented_sampling_callback = default_task_augmented_sampling
default_task_augmented_elicitation_callback = default_task_augmented_elicitation


@dataclass
class ExperimentalTaskHandlers:
    """What a client does about tasks; whatever is left out refuses."""

    get_task: GetTaskHandlerFnT = default_get_task_handler
    """Answers `tasks/get`."""
    get_task_result: GetTaskResultHandlerFnT = default_get_task_result_handler
    """Answers `tasks/result`."""
    list_tasks: ListTasksHandlerFnT = default_list_tasks_handler
    """Answers `tasks/list`."""
    cancel_task: CancelTaskHandlerFnT = default_cancel_task_handler
    """Answers `tasks/cancel`."""
    augmented_sampling: TaskAugmentedSamplingFnT = default_task_augmented_sampling
    """Begins a task for `sampling/createMessage`."""
    augmented_elicitation: TaskAugmentedElicitationFnT = default_task_augmented_elicitation
    """Begins a task for `elicitation/create`."""

    def build_capability(self) -> types.ClientTasksCapability | None:
        """The capability `tasks`; `None` if nothing declares any of it."""
        from ...types import ClientTasksCapability

        requests: dict[str, Any] = {}
        if self.augmented_sampling is not default_task_augmented_sampling:
            requests["sampling"] = {"createMessage": {}}
        if self.augmented_elicitation is not default_task_augmented_elicitation:
            requests["elicitation"] = {"create": {}}
        declared: dict[str, Any] = {"requests": requests} if requests else {}
        if self.list_tasks is not default_list_tasks_handler:
            declared["list"] = {}
        if self.cancel_task is not default_cancel_task_handler:
            declared["cancel"] = {}
        return ClientTasksCapability.model_validate(declared) if declared else None

    @staticmethod
    def handles_request(request: types.ServerRequest) -> bool:
        """Whether a request of a server is about a task of the client.

        Args:
            request: The request.
        """
        return request.root.method in ABOUT_TASKS

    async def handle_request(self, ctx: RequestContext[Any, Any], responder: Any) -> None:
        """Answer a request for which `handles_request` is true.

        Args:
            ctx: The context of the request.
            responder: The request, as it waits for its answer.
        """
        from ...types import ClientResult, ErrorData

        request = responder.request.root
        answer = await getattr(self, ABOUT_TASKS[request.method])(ctx, request.params)
        await responder.respond(answer if isinstance(answer, ErrorData) else ClientResult(answer))

    async def begin(self, ctx: RequestContext[Any, Any], request: Any) -> Any:
        """Begin a task for a request that asks for one.

        Args:
            ctx: The context of the request.
            request: The request.
        """
        handler = getattr(self, AS_TASKS[request.method])
        return await handler(ctx, request.params, request.params.task)
