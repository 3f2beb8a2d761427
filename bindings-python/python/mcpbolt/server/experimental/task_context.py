"""One task of a server, for the code that works on it.

Owns: what the work tells its client and asks it; a question waits in the task's queue until the
client fetches the result. Must not know: sessions, beyond that they send, or who starts the work.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from anyio import CancelScope

from ...shared.exceptions import McpError
from ...shared.experimental.tasks.capabilities import (
    require_task_augmented_elicitation,
    require_task_augmented_sampling,
)
from ...shared.experimental.tasks.context import TaskContext
from ...shared.experimental.tasks.message_queue import QueuedMessage
from ...shared.experimental.tasks.resolver import Resolver
from .._error_responses import INVALID_REQUEST
from ..validation import capabilities_of, validate_sampling
from .session_features import followed

if TYPE_CHECKING:
    from ...shared.experimental.tasks.message_queue import TaskMessageQueue
    from ...shared.experimental.tasks.store import TaskStore
    from ...types import (
        CreateMessageResult,
        ElicitResult,
        IncludeContext,
        JSONRPCRequest,
        ModelPreferences,
        Result,
        SamplingMessage,
        Task,
        Tool,
        ToolChoice,
    )
    from .task_result_handler import TaskResultHandler

R = TypeVar("R")


class ServerTaskContext:
    """Reports the progress of a task to its client, and asks the client.

    Args:
        task: The task.
        store: Where it is stored.
        session: The session with the client that began it.
        queue: Where its questions wait for the client.
        handler: What hands it the answers. Default: none; then it cannot ask.
    """

    def __init__(
        self,
        *,
        task: Task,
        store: TaskStore,
        session: Any,
        queue: TaskMessageQueue,
        handler: TaskResultHandler | None = None,
    ) -> None:
        self._context = TaskContext(task=task, store=store)
        self._store = store
        self._session = session
        self._queue = queue
        self._handler = handler

    @property
    def task_id(self) -> str:
        """The id of the task."""
        return self._context.task_id

    @property
    def task(self) -> Task:
        """The task, as of the last update through this object."""
        return self._context.task

    @property
    def is_cancelled(self) -> bool:
        """Whether cancellation was requested."""
        return self._context.is_cancelled

    def request_cancellation(self) -> None:
        """Request cancellation. The work has to check `is_cancelled` by itself."""
        self._context.request_cancellation()

    # Telling

    async def update_status(self, message: str, *, notify: bool = True) -> None:
        """Set the status message of the task.

        Args:
            message: The status message.
            notify: Whether the client is told. Default: yes.
        """
        await self._context.update_status(message)
        await self._tell(notify)

    async def complete(self, result: Result, *, notify: bool = True) -> None:
        """Store the result and mark the task as completed.

        Args:
            result: The result.
            notify: Whether the client is told. Default: yes.
        """
        await self._context.complete(result)
        await self._tell(notify)

    async def fail(self, error: str, *, notify: bool = True) -> None:
        """Mark the task as failed, with an error message.

        Args:
            error: The error message.
            notify: Whether the client is told. Default: yes.
        """
        await self._context.fail(error)
        await self._tell(notify)

    async def _tell(self, notify: bool) -> None:
        if not notify:
            return
        from ...types import ServerNotification, TaskStatusNotification, TaskStatusNotificationParams

        params = TaskStatusNotificationParams.model_validate(self.task.model_dump())
        await self._session.send_notification(ServerNotification(TaskStatusNotification(params=params)))

    # Asking

    async def elicit(self, message: str, requestedSchema: dict[str, Any]) -> ElicitResult:
        """Ask the user to fill in a form. The task is `input_required` until the client has
        answered.

        Args:
            message: What to ask, as shown to the user.
            requestedSchema: The JSON Schema of the form.

        Raises:
            McpError: The client cannot be asked, or refused.
            RuntimeError: The context has no handler.
        """
        from ...types import ElicitResult

        self._require("elicitation")
        self._require_handler("elicit()")
        request = self._session._build_elicit_form_request(
            message=message, requestedSchema=requestedSchema, related_task_id=self.task_id
        )
        return await self._ask(request, _as_model(ElicitResult))

    async def elicit_url(self, message: str, url: str, elicitation_id: str) -> ElicitResult:
        """Ask the user to visit a URL, for data that must not pass through the client.

        Args:
            message: Why the user should go there.
            url: Where to go.
            elicitation_id: The name of the question, which no other one has.

        Raises:
            McpError: The client cannot be asked, or refused.
            RuntimeError: The context has no handler.
        """
        from ...types import ElicitResult

        self._require("elicitation")
        self._require_handler("elicit_url()")
        request = self._session._build_elicit_url_request(
            message=message, url=url, elicitation_id=elicitation_id, related_task_id=self.task_id
        )
        return await self._ask(request, _as_model(ElicitResult))

    async def create_message(
        self,
        messages: list[SamplingMessage],
        *,
        max_tokens: int,
        system_prompt: str | None = None,
        include_context: IncludeContext | None = None,
        temperature: float | None = None,
        stop_sequences: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
        model_preferences: ModelPreferences | None = None,
        tools: list[Tool] | None = None,
        tool_choice: ToolChoice | None = None,
    ) -> CreateMessageResult:
        """Ask the client for a message of its language model; see `ServerSession.create_message`.

        Args:
            messages: The conversation so far.
            max_tokens: How many tokens the model may answer with.
            system_prompt: Instructions for the model. Default: the client decides.
            include_context: Which servers' context the client should add. Default: none.
            temperature: How random the answer may be. Default: the client decides.
            stop_sequences: Texts at which the model stops. Default: none.
            metadata: Data for the model's provider. Default: none.
            model_preferences: Which models are wanted. Default: the client decides.
            tools: Tools that the model may call. Default: none.
            tool_choice: Whether the model has to call one of the tools. Default: it decides.

        Raises:
            McpError: The client cannot be asked, or refused.
            RuntimeError: The context has no handler.
            ValueError: Tool results in the messages do not match tool uses.
        """
        from ...types import CreateMessageResult

        self._require("sampling")
        validate_sampling(self._session, messages, tools, tool_choice)
        self._require_handler("create_message()")
        request = self._session._build_create_message_request(
            messages=messages,
            max_tokens=max_tokens,
            system_prompt=system_prompt,
            include_context=include_context,
            temperature=temperature,
            stop_sequences=stop_sequences,
            metadata=metadata,
            model_preferences=model_preferences,
            tools=tools,
            tool_choice=tool_choice,
            related_task_id=self.task_id,
        )
        return await self._ask(request, _as_model(CreateMessageResult))

    async def elicit_as_task(
        self, message: str, requestedSchema: dict[str, Any], *, ttl: int = 60000
    ) -> ElicitResult:
        """Ask the user to fill in a form, as a task of the client, which is then followed.

        Args:
            message: What to ask, as shown to the user.
            requestedSchema: The JSON Schema of the form.
            ttl: How many milliseconds the client should keep its task.

        Raises:
            McpError: The client cannot be asked in this way, or refused.
            RuntimeError: The context has no handler.
        """
        from ...types import ElicitResult, TaskMetadata

        require_task_augmented_elicitation(capabilities_of(self._session))
        self._require_handler("elicit_as_task()")
        request = self._session._build_elicit_form_request(
            message=message,
            requestedSchema=requestedSchema,
            related_task_id=self.task_id,
            task=TaskMetadata(ttl=ttl),
        )
        return await self._ask(request, self._following(ElicitResult))

    async def create_message_as_task(
        self,
        messages: list[SamplingMessage],
        *,
        max_tokens: int,
        ttl: int = 60000,
        system_prompt: str | None = None,
        include_context: IncludeContext | None = None,
        temperature: float | None = None,
        stop_sequences: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
        model_preferences: ModelPreferences | None = None,
        tools: list[Tool] | None = None,
        tool_choice: ToolChoice | None = None,
    ) -> CreateMessageResult:
        """Ask the client for a message of its language model, as a task of the client, which is
        then followed.

        Args:
            messages: The conversation so far.
            max_tokens: How many tokens the model may answer with.
            ttl: How many milliseconds the client should keep its task.
            system_prompt: Instructions for the model. Default: the client decides.
            include_context: Which servers' context the client should add. Default: none.
            temperature: How random the answer may be. Default: the client decides.
            stop_sequences: Texts at which the model stops. Default: none.
            metadata: Data for the model's provider. Default: none.
            model_preferences: Which models are wanted. Default: the client decides.
            tools: Tools that the model may call. Default: none.
            tool_choice: Whether the model has to call one of the tools. Default: it decides.

        Raises:
            McpError: The client cannot be asked in this way, or refused.
            RuntimeError: The context has no handler.
            ValueError: Tool results in the messages do not match tool uses.
        """
        from ...types import CreateMessageResult, TaskMetadata

        require_task_augmented_sampling(capabilities_of(self._session))
        validate_sampling(self._session, messages, tools, tool_choice)
        self._require_handler("create_message_as_task()")
        request = self._session._build_create_message_request(
            messages=messages,
            max_tokens=max_tokens,
            system_prompt=system_prompt,
            include_context=include_context,
            temperature=temperature,
            stop_sequences=stop_sequences,
            metadata=metadata,
            model_preferences=model_preferences,
            tools=tools,
            tool_choice=tool_choice,
            related_task_id=self.task_id,
            task=TaskMetadata(ttl=ttl),
        )
        return await self._ask(request, self._following(CreateMessageResult))

    # What all questions have in common

    def _require(self, name: str) -> None:
        from ...types import ClientCapabilities

        if not self._session.check_client_capability(ClientCapabilities.model_validate({name: {}})):
            raise McpError(INVALID_REQUEST, f"Client does not support {name} capability")

    def _require_handler(self, name: str) -> None:
        if self._handler is None:
            raise RuntimeError(f"handler is required for {name}: pass handler= to ServerTaskContext")

    async def _ask(self, request: JSONRPCRequest, finish: Callable[[dict[str, Any]], Awaitable[R]]) -> R:
        """Queue a question and wait until the client has answered it."""
        assert self._handler is not None
        await self._store.update_task(self.task_id, status="input_required")
        resolver: Resolver[dict[str, Any]] = Resolver()
        self._handler.expect(request.id, resolver)
        question = QueuedMessage("request", request, resolver=resolver, original_request_id=request.id)
        await self._queue.enqueue(self.task_id, question)
        try:
            return await finish(await resolver.wait())
        finally:
            # A task that was given up meanwhile stays so; what becomes of the work is its own.
            with CancelScope(shield=True), suppress(ValueError):
                await self._store.update_task(self.task_id, status="working")

    def _following(self, result_type: type[R]) -> Callable[[dict[str, Any]], Awaitable[R]]:
        """What follows the client's own task to its result."""

        async def follow(answer: dict[str, Any]) -> R:
            from ...types import CreateTaskResult

            task_id = CreateTaskResult.model_validate(answer).task.taskId
            return await followed(self._session._experimental, task_id, result_type)

        return follow


def _as_model(result_type: type[R]) -> Callable[[dict[str, Any]], Awaitable[R]]:
    async def finish(answer: dict[str, Any]) -> R:
        model: Any = result_type
        found: R = model.model_validate(answer)
        return found

    return finish
