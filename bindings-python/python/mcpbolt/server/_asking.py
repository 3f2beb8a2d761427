"""The requests that a server may send to its client, as part of `ServerSession`.

Owns: one method each. Must not know: how requests travel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from .. import types

ResultT = TypeVar("ResultT")


class Asking:
    """The part of `ServerSession` that asks the client."""

    if TYPE_CHECKING:

        @property
        def client_params(self) -> types.InitializeRequestParams | None:
            """The params of the client's `initialize`."""
            ...

        async def send_request(
            self,
            request: Any,
            result_type: type[ResultT],
            request_read_timeout_seconds: Any = None,
            metadata: Any = None,
            progress_callback: Any = None,
        ) -> ResultT:
            """Send a request and wait for its result.

            Args:
                request: The request.
                result_type: The model of the result.
                request_read_timeout_seconds: Longest wait for the answer, in seconds or as
                    `timedelta`. Default: that of the session.
                metadata: Metadata for the transport, such as the request that the message belongs
                    to. Default: none.
                progress_callback: Async function that is called with `progress`, `total` and
                    `message` of each progress report. Default: no reports are asked for.
            """
            ...

    async def create_message(
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
        related_request_id: types.RequestId | None = None,
    ) -> Any:
        """Ask the client for a message from its language model (sampling).

        `include_context` other than `"none"` is deprecated since 2025-11-25 (SEP-2596).

        Args:
            messages: The conversation so far, oldest message first.
            max_tokens: The largest number of tokens of the answer.
            system_prompt: Instructions for the model. Default: the client decides.
            include_context: Whether the client adds context: `"none"`, `"thisServer"` or
                `"allServers"`. Default: none.
            temperature: How random the answer is, such as 0.0 for as little as possible. Default:
                the client decides.
            stop_sequences: Texts at which the model stops. Default: none.
            metadata: Settings for the model's provider, passed on by the client. Default: none.
            model_preferences: Which models are wanted, and what matters: cost, speed, intelligence.
                Default: the client decides.
            tools: Tools that the model may call; the client has to support them. Default: none.
            tool_choice: Whether the model has to call one of the tools. Default: the model decides.
            related_request_id: The id of the client's request on whose stream to send the message.
                Default: none.

        Raises:
            McpError: The client did not declare sampling (code -32021) or tools in sampling (code
                -32602), or answered with an error.
            ValueError: Tool results in the messages do not match the tool uses.

        .. deprecated:: 2026-07-28
           sampling, SEP-2577; earliest removal 2027-07-28. Call the model's provider from the
           server.
        """
        from .. import types
        from ..shared.message import ServerMessageMetadata
        from .validation import validate_sampling

        validate_sampling(self, messages, tools, tool_choice)
        request = types.CreateMessageRequest(
            params=types.CreateMessageRequestParams(
                messages=messages,
                systemPrompt=system_prompt,
                includeContext=include_context,
                temperature=temperature,
                maxTokens=max_tokens,
                stopSequences=stop_sequences,
                metadata=metadata,
                modelPreferences=model_preferences,
                tools=tools,
                toolChoice=tool_choice,
            )
        )
        result = types.CreateMessageResult if tools is None else types.CreateMessageResultWithTools
        related = ServerMessageMetadata(related_request_id=related_request_id)
        return await self.send_request(types.ServerRequest(request), cast("Any", result), metadata=related)

    async def list_roots(self) -> types.ListRootsResult:
        """Ask the client for its roots, the folders and files that the server may work on.

        .. deprecated:: 2026-07-28
           roots, SEP-2577; earliest removal 2027-07-28. Pass folders and files as tool parameters,
           resource URIs or settings of the server.
        """
        from .. import types

        return await self.send_request(types.ServerRequest(types.ListRootsRequest()), types.ListRootsResult)

    async def elicit(
        self,
        message: str,
        requestedSchema: dict[str, Any],
        related_request_id: types.RequestId | None = None,
    ) -> types.ElicitResult:
        """The same as `elicit_form`, under its older name.

        Args:
            message: The question, as shown to the user.
            requestedSchema: The JSON Schema of the form: an object whose properties are texts,
                numbers, booleans or choices.
            related_request_id: The id of the client's request on whose stream to send the message.
                Default: none.
        """
        return await self.elicit_form(message, requestedSchema, related_request_id)

    async def elicit_form(
        self,
        message: str,
        requestedSchema: dict[str, Any],
        related_request_id: types.RequestId | None = None,
    ) -> types.ElicitResult:
        """Ask the user to fill in a form, and wait for the answer.

        The `content` of the result is there only if its `action` is `"accept"`.

        Args:
            message: The question, as shown to the user.
            requestedSchema: The JSON Schema of the form: an object whose properties are texts,
                numbers, booleans or choices.
            related_request_id: The id of the client's request on whose stream to send the message.
                Default: none.
        """
        from ..types import ElicitRequestFormParams

        params = ElicitRequestFormParams(message=message, requestedSchema=requestedSchema)
        return await self._elicit(params, related_request_id)

    async def elicit_url(
        self,
        message: str,
        url: str,
        elicitation_id: str,
        related_request_id: types.RequestId | None = None,
    ) -> types.ElicitResult:
        """Ask the user to visit a URL, for data that must not pass through the client.

        The action `"accept"` means that the user agreed to go there. When the user is done, call
        `send_elicit_complete`.

        Args:
            message: Why the user should visit the URL, as shown to the user.
            url: The URL to visit.
            elicitation_id: An id for this question, unique among the questions of the server.
            related_request_id: The id of the client's request on whose stream to send the message.
                Default: none.
        """
        from ..types import ElicitRequestURLParams

        params = ElicitRequestURLParams(message=message, url=url, elicitationId=elicitation_id)
        return await self._elicit(params, related_request_id)

    async def _elicit(self, params: Any, related_request_id: types.RequestId | None) -> types.ElicitResult:
        from .. import types
        from ..shared.message import ServerMessageMetadata

        request = types.ServerRequest(types.ElicitRequest(params=params))
        related = ServerMessageMetadata(related_request_id=related_request_id)
        return await self.send_request(request, types.ElicitResult, metadata=related)

    async def send_ping(self) -> types.EmptyResult:
        """Check that the client responds."""
        from .. import types

        return await self.send_request(types.ServerRequest(types.PingRequest()), types.EmptyResult)
