"""Tasks of a client, for the server that began them: `ServerSession.experimental`.

Owns: the requests about them. Must not know: how a session sends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from ...shared.experimental.tasks.capabilities import (
    require_task_augmented_elicitation,
    require_task_augmented_sampling,
)
from ...shared.experimental.tasks.requests import TaskRequests
from ..validation import capabilities_of, validate_sampling

if TYPE_CHECKING:
    from ... import types

ResultT = TypeVar("ResultT")


class ExperimentalServerSessionFeatures(TaskRequests):
    """Requests about tasks of the client. The protocol has withdrawn them since.

    Args:
        session: The session with the client.
    """

    _request_type: ClassVar[str] = "ServerRequest"

    def __init__(self, session: Any) -> None:
        super().__init__(session)
        self.task_session_scope: str | None = None
        """What the ids of tasks that this session begins are marked with; `None` if its tasks
        belong to nobody."""

    async def elicit_as_task(
        self, message: str, requestedSchema: dict[str, Any], *, ttl: int = 60000
    ) -> types.ElicitResult:
        """Ask the user to fill in a form, as a task of the client, and wait for the answer.

        Args:
            message: What to ask, as shown to the user.
            requestedSchema: The JSON Schema of the form.
            ttl: How many milliseconds the client should keep the task.

        Raises:
            McpError: The client cannot be asked in this way, or refused.
        """
        from ... import types

        require_task_augmented_elicitation(capabilities_of(self._session))
        params = types.ElicitRequestFormParams(
            message=message, requestedSchema=requestedSchema, task=types.TaskMetadata(ttl=ttl)
        )
        return await self._outcome(types.ElicitRequest(params=params), types.ElicitResult)

    async def create_message_as_task(
        self,
        messages: list[types.SamplingMessage],
        *,
        max_tokens: int,
        ttl: int = 60000,
        system_prompt: str | None = None,
        include_context: types.IncludeContext | None = None,
        temperature: float | None = None,
        stop_sequences: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
        model_preferences: types.ModelPreferences | None = None,
        tools: list[types.Tool] | None = None,
        tool_choice: types.ToolChoice | None = None,
    ) -> types.CreateMessageResult:
        """Ask the client for a message of its language model, as a task of the client, and wait
        for it; see `ServerSession.create_message`.

        Args:
            messages: The conversation so far.
            max_tokens: How many tokens the model may answer with.
            ttl: How many milliseconds the client should keep the task.
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
            ValueError: Tool results in the messages do not match tool uses.
        """
        from ... import types

        require_task_augmented_sampling(capabilities_of(self._session))
        validate_sampling(self._session, messages, tools, tool_choice)
        params = types.CreateMessageRequestParams(
            messages=messages,
            maxTokens=max_tokens,
            systemPrompt=system_prompt,
            includeContext=include_context,
            temperature=temperature,
            stopSequences=stop_sequences,
            metadata=metadata,
            modelPreferences=model_preferences,
            tools=tools,
            toolChoice=tool_choice,
            task=types.TaskMetadata(ttl=ttl),
        )
        return await self._outcome(types.CreateMessageRequest(params=params), types.CreateMessageResult)

    async def _outcome(self, request: Any, result_type: type[ResultT]) -> ResultT:
        """Have the client begin a task, follow it, and fetch its result."""
        from ... import types

        created = await self._sent(request, types.CreateTaskResult)
        return await followed(self, created.task.taskId, result_type)


async def followed(tasks: Any, task_id: str, result_type: type[ResultT]) -> ResultT:
    """Follow a task of the client until it is over, and get its result.

    Args:
        tasks: What asks the client about its tasks.
        task_id: The id of the task.
        result_type: The model of the result.
    """
    async for _ in tasks.poll_task(task_id):
        pass
    result: ResultT = await tasks.get_task_result(task_id, result_type)
    return result
