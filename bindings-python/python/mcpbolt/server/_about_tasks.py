"""Tasks of 2025-11-25 as part of `ServerSession`.

Owns: the questions of tasks as messages that can be queued, and sending a queued message. Must
not know: how a task runs, or where its messages are queued.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, cast
from uuid import uuid4

from .._engine.json import dumps
from ..shared.exceptions import McpError
from ..shared.experimental import warn_of_tasks
from ..shared.experimental.tasks.helpers import RELATED_TASK_METADATA_KEY
from .experimental.session_features import ExperimentalServerSessionFeatures

if TYPE_CHECKING:
    from .. import types
    from .._engine.host import ServerHost
    from ..shared.message import SessionMessage
    from ._live import LiveContext


class AboutTasks:
    """The part of `ServerSession` that is about tasks."""

    # Ids of requests that belong to no task.
    _request_id = 0
    _response_routers: tuple[Any, ...] = ()

    if TYPE_CHECKING:
        _host: ServerHost | None
        _number: int
        _write_stream: Any

        def _call_of(self, request_id: Any) -> LiveContext | None: ...

        def _routed(self, request_id: types.RequestId, answer: Any) -> bool: ...

        async def _send(self, live: LiveContext | None, method: str, params: str | None) -> None: ...

        async def _asked(
            self, target: int, method: str, params: str | None, seconds: float | None, hearers: Any
        ) -> Any: ...

    @cached_property
    def _experimental(self) -> ExperimentalServerSessionFeatures:
        return ExperimentalServerSessionFeatures(self)

    @property
    def experimental(self) -> ExperimentalServerSessionFeatures:
        """Tasks of the client, of revision 2025-11-25. The protocol has withdrawn them since."""
        warn_of_tasks()
        return self._experimental

    # Questions as messages

    def _build_elicit_form_request(
        self,
        message: str,
        requestedSchema: dict[str, Any],
        related_task_id: str | None = None,
        task: types.TaskMetadata | None = None,
    ) -> types.JSONRPCRequest:
        from ..types import ElicitRequestFormParams

        params = ElicitRequestFormParams(message=message, requestedSchema=requestedSchema, task=task)
        return self._built("elicitation/create", params, related_task_id)

    def _build_elicit_url_request(
        self, message: str, url: str, elicitation_id: str, related_task_id: str | None = None
    ) -> types.JSONRPCRequest:
        from ..types import ElicitRequestURLParams

        params = ElicitRequestURLParams(message=message, url=url, elicitationId=elicitation_id)
        return self._built("elicitation/create", params, related_task_id)

    def _build_create_message_request(
        self,
        messages: list[types.SamplingMessage],
        *,
        max_tokens: int,
        system_prompt: str | None = None,
        include_context: types.IncludeContext | None = None,
        temperature: float | None = None,
        stop_sequences: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
        model_preferences: types.ModelPreferences | None = None,
        tools: list[types.Tool] | None = None,
        tool_choice: types.ToolChoice | None = None,
        related_task_id: str | None = None,
        task: types.TaskMetadata | None = None,
    ) -> types.JSONRPCRequest:
        from ..types import CreateMessageRequestParams

        params = CreateMessageRequestParams(
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
            task=task,
        )
        return self._built("sampling/createMessage", params, related_task_id)

    def _built(self, method: str, params: Any, task_id: str | None) -> types.JSONRPCRequest:
        from ..types import JSONRPCRequest

        values: dict[str, Any] = params.model_dump(by_alias=True, mode="json", exclude_none=True)
        if task_id is None:
            number: Any = self._request_id
            self._request_id += 1
        else:
            values.setdefault("_meta", {})[RELATED_TASK_METADATA_KEY] = {"taskId": task_id}
            # No other session may have a request of this id, as one queue is for all of them.
            number = f"task-{task_id}-{uuid4().hex}"
        return JSONRPCRequest(jsonrpc="2.0", id=number, method=method, params=values)

    # Sending them

    async def send_message(self, message: SessionMessage) -> None:
        """Send a message. On a session that the engine carries it has to be a request or a
        notification; a request gets an id of the engine's, and routers get its answer under the
        id that it has here.

        Args:
            message: The message.
        """
        host = self._host
        if host is None:
            await self._write_stream.send(message)
            return
        root: Any = message.message.root
        live = self._call_of(getattr(message.metadata, "related_request_id", None))
        params = None if root.params is None else dumps(root.params)
        if hasattr(root, "id"):
            target = self._number if live is None else live.call
            asked = self._answered(root.id, target, root.method, params)
            host.driver.background(asked, host.context.copy())
        else:
            await self._send(live, root.method, params)

    async def _answered(self, number: Any, target: int, method: str, params: str | None) -> None:
        """Ask the client, and hand its answer to the routers."""
        try:
            answer: Any = await self._asked(target, method, params, None, None)
        except McpError as error:
            answer = error.error
        self._routed(cast("types.RequestId", number), answer)
