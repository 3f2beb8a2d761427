"""The requests of a session of 2.x, one method each.

Owns: what 2.x lets a program say about a request that 1.x does not: its `_meta`, answers to
questions, results of extensions as they came. Must not know: how requests are carried, and how a
session begins.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from ..._engine.json import dumps
from ..._engine.protocol import MODERN_REVISIONS
from ...client._by_hand import RAW, Round
from ...client.session import ClientSession as _ClientSession
from ...shared._param_headers import fault_of, repeated
from .extension import ClaimContext, UnexpectedClaimedResult

if TYPE_CHECKING:
    from ...shared.session import ProgressFnT
    from ..types import (
        CallToolResult,
        EmptyResult,
        InputRequest,
        ListToolsResult,
        LoggingLevel,
        PaginatedRequestParams,
    )
    from .context import ClientRequestContext


class Asking(_ClientSession):
    """The part of `ClientSession` that sends requests."""

    # What the arguments of listed tools repeat in headers. The engine learns it from the same
    # lists and writes the headers.
    _x_mcp_header_maps: dict[str, dict[tuple[str, ...], str]]

    async def _send_request(
        self,
        request: Any,
        result_type: Any,
        request_read_timeout_seconds: Any,
        metadata: Any,
        progress_callback: Any,
    ) -> Any:
        reads = getattr(result_type, "validate_python", None)
        kind: Any = result_type if reads is None else _Reads(reads)
        return await super()._send_request(
            request, kind, request_read_timeout_seconds, metadata, progress_callback
        )

    async def list_tools(  # type: ignore[override]
        self, *, params: PaginatedRequestParams | None = None
    ) -> ListToolsResult:
        """List one page of the server's tools, without those whose arguments cannot be repeated in HTTP
        headers as they require (`x-mcp-header`).

        Args:
            params: The params of the request, with the `cursor` of the page. Default: the first
                page.
        """
        found: Any = await super().list_tools(params=cast("Any", params))
        is_whole = (params is None or params.cursor is None) and found.next_cursor is None
        return self._absorb_tool_listing(found, complete=is_whole)

    def _absorb_tool_listing(self, result: ListToolsResult, *, complete: bool) -> ListToolsResult:
        """Learn from a page of tools; one that is all of them makes the session forget others."""
        if self.protocol_version in MODERN_REVISIONS:
            result.tools = [tool for tool in result.tools if fault_of(tool.input_schema) is None]
            for tool in result.tools:
                self._x_mcp_header_maps[tool.name] = repeated(tool.input_schema)
        self.saw_tools(cast("Any", result.tools))
        if complete:
            names = {tool.name for tool in result.tools}
            for known in (self._x_mcp_header_maps, self._tool_output_schemas):
                for name in known.keys() - names:
                    known.pop(name, None)
        return result

    async def call_tool(  # type: ignore[override]
        self,
        name: str,
        arguments: dict[str, Any] | None = None,
        read_timeout_seconds: float | None = None,
        progress_callback: ProgressFnT | None = None,
        *,
        input_responses: Mapping[str, Any] | None = None,
        request_state: str | None = None,
        meta: Mapping[str, Any] | None = None,
        allow_input_required: bool = False,
        allow_claimed: bool = False,
    ) -> Any:
        """Call a tool. If the tool itself fails, the result has `is_error`.

        Args:
            name: The tool's name.
            arguments: The arguments by name. Default: none.
            read_timeout_seconds: Longest wait for the answer, in seconds; progress does not extend
                it. Default: that of the session.
            progress_callback: Async function that is called with `progress`, `total` and `message`
                of each progress report. Default: no reports are asked for.
            input_responses: The answers to the questions of an earlier `InputRequiredResult`, by
                the keys of the questions. Default: none.
            request_state: The `requestState` of that `InputRequiredResult`. Default: none.
            meta: The `_meta` of the request. Default: none.
            allow_input_required: Whether to return questions of the server as an
                `InputRequiredResult`, for the caller to answer (2026-07-28). Default: no, callbacks
                answer them.
            allow_claimed: Whether to return a result that an extension defines as the extension's
                model. Default: no, an exception is raised.

        Raises:
            UnexpectedClaimedResult: The server answered with a result that an extension defines, and
                `allow_claimed` is false.
            MCPError: The server answered with an error, or did not answer in time.
            RuntimeError: The structured content does not fit the tool's output schema.
        """
        if self._x_mcp_header_maps.get(name) and name not in self._tool_output_schemas:
            # The program knows the headers from elsewhere; the engine learns them from a list.
            await self._tool_output_schemas.learn(name, self.list_tools)
        this = Round(input_responses, request_state, allow_input_required, self._models)
        limit: Any = read_timeout_seconds
        wire = None if meta is None else as_wire(meta)
        if not this.is_by_hand:
            options: Any = {"meta": wire, "allow_claimed": True}
            found: Any = await super().call_tool(name, arguments, limit, progress_callback, **options)
            if not allow_claimed and self._claim_of(found) is not None:
                raise UnexpectedClaimedResult(found)
            return found
        params: dict[str, Any] = {"name": name, "arguments": arguments, "_meta": wire}
        params = {member: value for member, value in params.items() if value is not None}
        answer = await self._ask(
            "tools/call", this.params(params), self._limit(limit), progress_callback, more=RAW
        )
        claim = self._extensions.claims.get(answer.get("resultType"))
        if claim is not None:
            claimed = claim.model.model_validate(answer)
            if not allow_claimed:
                raise UnexpectedClaimedResult(claimed)
            return claimed
        kind = self._models.CallToolResult
        result: Any = this.result(answer, kind)
        if isinstance(result, kind) and not result.is_error:
            await self._validate_tool_result(name, result)
        return result

    def _claim_of(self, result: Any) -> Any:
        """The claim whose shape a result has; `None` for the protocol's own."""
        return next((claim for claim in self._extensions.claims.values() if isinstance(result, claim.model)), None)

    async def resolved(self, name: str, limit: float | None, result: Any) -> Any:
        """Turn a result that an extension defines into an ordinary one; other results are returned
        unchanged.

        Args:
            name: The name of the tool that was called.
            limit: Longest wait for further answers, in seconds; `None` for that of the session.
            result: The result of `call_tool` with `allow_claimed`.

        Raises:
            RuntimeError: The structured content does not fit the tool's output schema.
        """
        claim = self._claim_of(result)
        if claim is None:
            return result
        context: Any = ClaimContext(session=cast("Any", self), tool_name=name, read_timeout_seconds=self._limit(limit))
        found = await claim.resolve(result, context)
        if not found.is_error:
            await self._validate_tool_result(name, found)
        return found

    async def read_resource(  # type: ignore[override]
        self,
        uri: str,
        *,
        input_responses: Mapping[str, Any] | None = None,
        request_state: str | None = None,
        meta: Mapping[str, Any] | None = None,
        allow_input_required: bool = False,
    ) -> Any:
        """Read the contents of a resource.

        Args:
            uri: The URI of the resource.
            input_responses: The answers to the questions of an earlier `InputRequiredResult`, by
                the keys of the questions. Default: none.
            request_state: The `requestState` of that `InputRequiredResult`. Default: none.
            meta: The `_meta` of the message. Default: none.
            allow_input_required: Whether to return questions of the server as an
                `InputRequiredResult`, for the caller to answer (2026-07-28). Default: no, callbacks
                answer them.
        """
        this = Round(input_responses, request_state, allow_input_required, self._models)
        return await self._got("resources/read", {"uri": str(uri)}, meta, this, "ReadResourceResult")

    async def get_prompt(
        self,
        name: str,
        arguments: dict[str, str] | None = None,
        *,
        input_responses: Mapping[str, Any] | None = None,
        request_state: str | None = None,
        meta: Mapping[str, Any] | None = None,
        allow_input_required: bool = False,
    ) -> Any:
        """Get a prompt with its arguments filled in, as messages for a language model.

        Args:
            name: The prompt's name.
            arguments: The arguments by name, as texts. Default: none.
            input_responses: The answers to the questions of an earlier `InputRequiredResult`, by
                the keys of the questions. Default: none.
            request_state: The `requestState` of that `InputRequiredResult`. Default: none.
            meta: The `_meta` of the message. Default: none.
            allow_input_required: Whether to return questions of the server as an
                `InputRequiredResult`, for the caller to answer (2026-07-28). Default: no, callbacks
                answer them.
        """
        params: dict[str, Any] = {"name": name} if arguments is None else {"name": name, "arguments": arguments}
        this = Round(input_responses, request_state, allow_input_required, self._models)
        return await self._got("prompts/get", params, meta, this, "GetPromptResult")

    async def _got(
        self, method: str, params: dict[str, Any], meta: Mapping[str, Any] | None, this: Round, kind: str
    ) -> Any:
        whole = params if meta is None else {**params, "_meta": as_wire(meta)}
        more = RAW if this.is_by_hand else None
        return this.result(await self._ask(method, this.params(whole), self._limit(None), None, more=more), getattr(self._models, kind))

    async def _asked(self, method: str, params: dict[str, Any], meta: Mapping[str, Any] | None) -> EmptyResult:
        from ..types import EmptyResult

        whole = params if meta is None else {**params, "_meta": as_wire(meta)}
        return EmptyResult.model_validate(
            await self._ask(method, dumps(whole) if whole else None, self._limit(None), None)
        )

    async def send_ping(self, *, meta: Mapping[str, Any] | None = None) -> EmptyResult:  # type: ignore[override]
        """Check that the server responds. Only up to 2025-11-25, since 2026-07-28 has no `ping`.

        Args:
            meta: The `_meta` of the message. Default: none.
        """
        return await self._asked("ping", {}, meta)

    async def set_logging_level(  # type: ignore[override]
        self, level: LoggingLevel, *, meta: Mapping[str, Any] | None = None
    ) -> EmptyResult:
        """Set the lowest level of log messages that the server should send.

        Args:
            level: The lowest level of messages to send, such as `warning`.
            meta: The `_meta` of the message. Default: none.
        """
        return await self._asked("logging/setLevel", {"level": level}, meta)

    async def subscribe_resource(  # type: ignore[override]
        self, uri: str, *, meta: Mapping[str, Any] | None = None
    ) -> EmptyResult:
        """Ask the server to send a notification whenever a resource changes; the `message_handler` gets
        them.

        Args:
            uri: The URI of the resource.
            meta: The `_meta` of the message. Default: none.
        """
        if await self._watch(str(uri), True):
            return cast("EmptyResult", self._models.EmptyResult())
        return await self._asked("resources/subscribe", {"uri": str(uri)}, meta)

    async def unsubscribe_resource(  # type: ignore[override]
        self, uri: str, *, meta: Mapping[str, Any] | None = None
    ) -> EmptyResult:
        """End a subscription made with `subscribe_resource`.

        Args:
            uri: The URI of the resource.
            meta: The `_meta` of the message. Default: none.
        """
        if await self._watch(str(uri), False):
            return cast("EmptyResult", self._models.EmptyResult())
        return await self._asked("resources/unsubscribe", {"uri": str(uri)}, meta)

    async def send_progress_notification(
        self,
        progress_token: str | int,
        progress: float,
        total: float | None = None,
        message: str | None = None,
        *,
        meta: Mapping[str, Any] | None = None,
    ) -> None:
        """Report progress on a request that the server sent.

        Args:
            progress_token: The token from the `_meta` of that request.
            progress: How much is done, in any unit; must increase with each report.
            total: The value of `progress` when the work is complete. Default: not known.
            message: A text that describes the current step, for the user. Default: none.
            meta: The `_meta` of the message. Default: none.
        """
        from ..types import ProgressNotification, ProgressNotificationParams

        params = ProgressNotificationParams(
            progress_token=progress_token,
            progress=progress,
            total=total,
            message=message,
            _meta=None if meta is None else dict(meta),
        )
        await self.send_notification(cast("Any", ProgressNotification(params=params)))

    async def validate_tool_result(self, name: str, result: CallToolResult) -> None:
        """Check the structured content of a result against the tool's output schema. Override it in a
        subclass that needs no check, for example because it only forwards results.

        Args:
            name: The tool's name.
            result: The result of a call.

        Raises:
            RuntimeError: The structured content is missing, or does not fit.
        """
        await self._validate_structured_content(name, result.structured_content)

    async def _validate_tool_result(self, name: str, result: Any) -> None:
        await self.validate_tool_result(name, result)

    async def dispatch_input_request(self, ctx: ClientRequestContext, request: InputRequest) -> Any:
        """Call the callback for a question of the server, and return its answer.

        Args:
            ctx: The context to pass to the callback.
            request: The question.

        Returns:
            The answer, or `ErrorData` if the callback refuses.
        """
        from ..types import CreateMessageRequest, ElicitRequest

        if isinstance(request, CreateMessageRequest):
            return await self._sampling_callback(ctx, cast("Any", request.params))
        if isinstance(request, ElicitRequest):
            return await self._elicitation_callback(ctx, cast("Any", request.params))
        return await self._list_roots_callback(ctx)

    async def send_raw(
        self, method: str, params: str | None, limit: float | None = None, told: ProgressFnT | None = None
    ) -> Any:
        """Send a request of any method. Returns the result as JSON values.

        Args:
            method: The method.
            params: The params as JSON text; `None` for none.
            limit: Longest wait for the answer, in seconds. Default: that of the session.
            told: Async function that is called with `progress`, `total` and `message` of each
                progress report. Default: no reports are asked for.
        """
        return await self._ask(method, params, self._limit(limit), told, more=RAW)

    async def notify_raw(self, method: str, params: str | None) -> None:
        """Send a notification of any method.

        Args:
            method: The method.
            params: The params as JSON text; `None` for none.
        """
        await self._opened().send(method, params)

    def _stamp(self, data: dict[str, Any], opts: dict[str, Any]) -> None:
        # The engine writes the envelope and the headers of what is sent through it.
        del data, opts


class _Reads:
    """A `TypeAdapter` in the shape of a model, of which only reading is asked."""

    def __init__(self, reads: Any) -> None:
        self.model_validate = reads


def as_wire(meta: Mapping[str, Any]) -> dict[str, Any]:
    """The `_meta` of a request, with its one known member as the wire spells it."""
    found = dict(meta)
    if "progress_token" in found:
        found["progressToken"] = found.pop("progress_token")
    return found
