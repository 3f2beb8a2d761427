"""The requests of a client, one method each, as part of `ClientSession`.

Owns: converting arguments to params. Must not know: connections.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar, cast, overload

from .._engine import face
from .._engine.json import dumps
from ..shared.experimental import warn_of_tasks
from ._by_hand import RAW, Round
from ._results import call_tool_result
from ._signals import Signals

if TYPE_CHECKING:
    from pydantic import AnyUrl

    from ..shared.message import MessageMetadata
    from ..shared.session import ProgressFnT
    from ..types import (
        CallToolResult,
        CompleteResult,
        GetPromptResult,
        InputRequiredResult,
        PromptReference,
        ReadResourceResult,
        ResourceTemplateReference,
    )
    from ._extensions import Extensions
    from ._structured import OutputSchemas
    from .experimental import ExperimentalClientFeatures

ResultT = TypeVar("ResultT")


class ClientRequests(Signals):
    """The part of `ClientSession` with a method for each request that is answered with something."""

    if TYPE_CHECKING:
        _tool_output_schemas: OutputSchemas
        _extensions: Extensions

        async def send_request(
            self,
            request: Any,
            result_type: type[ResultT],
            request_read_timeout_seconds: timedelta | None = None,
            metadata: Any = None,
            progress_callback: ProgressFnT | None = None,
        ) -> ResultT:
            """Implemented by the session.

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

        async def _validate_tool_result(self, name: str, result: CallToolResult) -> None: ...
        async def _ask(
            self,
            method: str,
            params: str | None,
            limit: float | None,
            progress_callback: ProgressFnT | None,
            what: str = "ClientRequest",
            more: dict[str, Any] | None = None,
            metadata: MessageMetadata = None,
        ) -> Any: ...
        def _limit(self, given: timedelta | float | None) -> float | None: ...

    @property
    def experimental(self) -> ExperimentalClientFeatures:
        """The tasks of 2025-11-25, which the protocol no longer has."""
        warn_of_tasks()
        return self._experimental_features

    @cached_property
    def _experimental_features(self) -> ExperimentalClientFeatures:
        from .experimental import ExperimentalClientFeatures

        return ExperimentalClientFeatures(self)

    @overload
    async def read_resource(
        self,
        uri: AnyUrl | str,
        *,
        input_responses: Mapping[str, Any] | None = None,
        request_state: str | None = None,
        allow_input_required: Literal[False] = False,
    ) -> ReadResourceResult: ...
    @overload
    async def read_resource(
        self,
        uri: AnyUrl | str,
        *,
        input_responses: Mapping[str, Any] | None = None,
        request_state: str | None = None,
        allow_input_required: bool,
    ) -> ReadResourceResult | InputRequiredResult: ...
    async def read_resource(
        self,
        uri: AnyUrl | str,
        *,
        input_responses: Mapping[str, Any] | None = None,
        request_state: str | None = None,
        allow_input_required: bool = False,
    ) -> ReadResourceResult | InputRequiredResult:
        """Read the contents of a resource.

        Args:
            uri: The URI of the resource.
            input_responses: The answers to the questions of an earlier `InputRequiredResult`, by
                the keys of the questions. Default: none.
            request_state: The `requestState` of that `InputRequiredResult`. Default: none.
            allow_input_required: Whether to return questions of the server as an
                `InputRequiredResult`, for the caller to answer (2026-07-28). Default: no, callbacks
                answer them.
        """
        m = self._models

        this = Round(input_responses, request_state, allow_input_required, self._models)
        if this.is_by_hand:
            limit = self._limit(None)
            answer = await self._ask("resources/read", this.params({"uri": str(uri)}), limit, None, more=RAW)
            found: ReadResourceResult = this.result(answer, m.ReadResourceResult)
            return found
        request = m.ReadResourceRequest(params=m.ReadResourceRequestParams.model_validate({"uri": uri}))
        if isinstance(uri, str) and self._sends_directly() and _is_escaped(uri, request.params.uri):
            # The URI is sent as given: 2.x servers compare the text, and `AnyUrl` would
            # rewrite it.
            answer = await self._ask("resources/read", dumps({"uri": uri}), self._limit(None), None)
            read: ReadResourceResult = m.ReadResourceResult.model_validate(answer)
            return read
        whole: ReadResourceResult = await self.send_request(m.ClientRequest(request), m.ReadResourceResult)
        return whole

    @overload
    async def call_tool(
        self,
        name: str,
        arguments: dict[str, Any] | None = None,
        read_timeout_seconds: timedelta | None = None,
        progress_callback: ProgressFnT | None = None,
        *,
        meta: dict[str, Any] | None = None,
        input_responses: Mapping[str, Any] | None = None,
        request_state: str | None = None,
        allow_input_required: Literal[False] = False,
    ) -> CallToolResult: ...
    @overload
    async def call_tool(
        self,
        name: str,
        arguments: dict[str, Any] | None = None,
        read_timeout_seconds: timedelta | None = None,
        progress_callback: ProgressFnT | None = None,
        *,
        meta: dict[str, Any] | None = None,
        input_responses: Mapping[str, Any] | None = None,
        request_state: str | None = None,
        allow_input_required: bool,
    ) -> CallToolResult | InputRequiredResult: ...
    async def call_tool(
        self,
        name: str,
        arguments: dict[str, Any] | None = None,
        read_timeout_seconds: timedelta | None = None,
        progress_callback: ProgressFnT | None = None,
        *,
        meta: dict[str, Any] | None = None,
        input_responses: Mapping[str, Any] | None = None,
        request_state: str | None = None,
        allow_input_required: bool = False,
        allow_claimed: bool = False,
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool. If the tool itself fails, the result has `isError`.

        Args:
            name: The tool's name.
            arguments: The arguments by name. Default: none.
            read_timeout_seconds: Longest wait for the answer; progress does not extend it. Default:
                that of the session.
            progress_callback: Async function that is called with `progress`, `total` and `message`
                of each progress report. Default: no reports are asked for.
            meta: The `_meta` of the request. Default: none.
            input_responses: The answers to the questions of an earlier `InputRequiredResult`, by
                the keys of the questions. Default: none.
            request_state: The `requestState` of that `InputRequiredResult`. Default: none.
            allow_input_required: Whether to return questions of the server as an
                `InputRequiredResult`, for the caller to answer (2026-07-28). Default: no, callbacks
                answer them.
            allow_claimed: Whether to return a result that an extension defines as the extension's
                model, instead of the `CallToolResult` that the extension turns it into. Default:
                no.

        Raises:
            McpError: The server answered with an error, for example because it does not know the
                tool, or did not answer in time (`TimeoutError`).
            RuntimeError: The structured content does not fit the tool's output schema.
        """
        kind: Any = self._models.CallToolResult
        params: dict[str, Any] = {"name": name}
        if arguments is not None:
            params["arguments"] = arguments
        if meta is not None:
            params["_meta"] = meta
        limit = self._limit(read_timeout_seconds)
        this = Round(input_responses, request_state, allow_input_required, self._models)
        text = _plain(params) if self._sends_directly() else None
        if this.is_by_hand:
            answer = await self._ask("tools/call", this.params(params), limit, progress_callback, more=RAW)
            result: CallToolResult = this.result(answer, kind)
        elif text is None:
            result = await self._call_by_model(params, read_timeout_seconds, progress_callback)
        else:
            answer = await self._ask("tools/call", text, limit, progress_callback)
            claim = self._extensions.claims.get(answer.get("resultType"))
            if claim is not None and allow_claimed:
                return cast("CallToolResult", claim.model.model_validate(answer))
            if claim is None:
                result = call_tool_result(answer, self._models)
            else:
                result = await claim.resolved(self, name, limit, answer)
        if isinstance(result, kind) and not result.isError:  # pyright: ignore[reportUnnecessaryIsInstance]
            await self._validate_tool_result(name, result)
        return result

    # `BaseSession.send_request`; set once that module is loaded.
    _own_send: ClassVar[Any] = None

    def _sends_directly(self) -> bool:
        # If a subclass or a program replaces `send_request`, this request has to go through it too.
        return type(self).send_request is type(self)._own_send and "send_request" not in vars(self)

    async def _call_by_model(
        self, params: dict[str, Any], limit: timedelta | None, progress_callback: ProgressFnT | None
    ) -> CallToolResult:
        m = self._models

        request = m.ClientRequest(m.CallToolRequest(params=m.CallToolRequestParams.model_validate(params)))
        found: CallToolResult = await self.send_request(request, m.CallToolResult, limit, None, progress_callback)
        return found

    @overload
    async def get_prompt(
        self,
        name: str,
        arguments: dict[str, str] | None = None,
        *,
        input_responses: Mapping[str, Any] | None = None,
        request_state: str | None = None,
        allow_input_required: Literal[False] = False,
    ) -> GetPromptResult: ...
    @overload
    async def get_prompt(
        self,
        name: str,
        arguments: dict[str, str] | None = None,
        *,
        input_responses: Mapping[str, Any] | None = None,
        request_state: str | None = None,
        allow_input_required: bool,
    ) -> GetPromptResult | InputRequiredResult: ...
    async def get_prompt(
        self,
        name: str,
        arguments: dict[str, str] | None = None,
        *,
        input_responses: Mapping[str, Any] | None = None,
        request_state: str | None = None,
        allow_input_required: bool = False,
    ) -> GetPromptResult | InputRequiredResult:
        """Get a prompt with its arguments filled in, as messages for a language model.

        Args:
            name: The prompt's name.
            arguments: The arguments by name, as texts. Default: none.
            input_responses: The answers to the questions of an earlier `InputRequiredResult`, by
                the keys of the questions. Default: none.
            request_state: The `requestState` of that `InputRequiredResult`. Default: none.
            allow_input_required: Whether to return questions of the server as an
                `InputRequiredResult`, for the caller to answer (2026-07-28). Default: no, callbacks
                answer them.
        """
        m = self._models

        this = Round(input_responses, request_state, allow_input_required, self._models)
        if this.is_by_hand:
            params: dict[str, Any] = {"name": name} if arguments is None else {"name": name, "arguments": arguments}
            answer = await self._ask("prompts/get", this.params(params), self._limit(None), None, more=RAW)
            found: GetPromptResult = this.result(answer, m.GetPromptResult)
            return found
        request = m.GetPromptRequest(params=m.GetPromptRequestParams(name=name, arguments=arguments))
        whole: GetPromptResult = await self.send_request(m.ClientRequest(request), m.GetPromptResult)
        return whole

    async def complete(
        self,
        ref: ResourceTemplateReference | PromptReference,
        argument: dict[str, str],
        context_arguments: dict[str, str] | None = None,
    ) -> CompleteResult:
        """Ask the server for values that complete an argument of a prompt or of a resource
        template.

        Args:
            ref: The prompt or resource template that the argument belongs to.
            argument: The argument to complete: a dictionary with its `name`, and the text so far as
                `value`.
            context_arguments: The values of other arguments that are already known, by name.
                Default: none.
        """
        m = self._models
        context = None
        if context_arguments is not None:
            context = m.CompletionContext(arguments=context_arguments)
        params = m.CompleteRequestParams(
            ref=ref, argument=m.CompletionArgument(**argument), context=context
        )
        request = m.ClientRequest(m.CompleteRequest(params=params))
        found: CompleteResult = await self.send_request(request, m.CompleteResult)
        return found


def _plain(params: dict[str, Any]) -> str | None:
    """The params as JSON text, if they consist of plain values; else `None`, and the models do
    it.
    """
    try:
        return dumps(params)
    except (TypeError, ValueError):
        return None


def _is_escaped(uri: str, parsed: AnyUrl) -> bool:
    """Whether a URI needs no more percent-encoding."""
    return not face.current.normalizes_uris and uri.count("%") == str(parsed).count("%")
