"""`ClientSession` of 2.x: requests one by one, and a beginning in steps.

Owns: what 2.x lets a program do with a session that 1.x does not: probing, adopting an answer
that it holds, results of extensions as they came. Must not know: how requests are carried.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from ..._engine import face
from ..._engine.json import dumps, model_dict
from ..._engine.protocol import MODERN_REVISIONS
from ...client._by_hand import RAW, Round
from ...client._extensions import Extensions
from ...client.session import ClientSession as _ClientSession
from ...client.session import ElicitationFnT, ListRootsFnT, LoggingFnT, MessageHandlerFnT, SamplingFnT
from ...shared._param_headers import fault_of, repeated
from ...shared.exceptions import UsageError
from .._types import rooted
from ._incoming import IncomingMessage
from .context import ClientRequestContext
from .extension import UnexpectedClaimedResult

if TYPE_CHECKING:
    from ...shared.session import ProgressFnT
    from ..types import (
        CallToolResult,
        DiscoverResult,
        EmptyResult,
        Implementation,
        InitializeResult,
        InputRequest,
        ListToolsResult,
        LoggingLevel,
        PaginatedRequestParams,
        SamplingCapability,
    )
    from .extension import NotificationBinding, ResultClaim

__all__ = [
    "DISCOVER_TIMEOUT_SECONDS",
    "ClientRequestContext",
    "ClientSession",
    "ElicitationFnT",
    "IncomingMessage",
    "ListRootsFnT",
    "LoggingFnT",
    "MessageHandlerFnT",
    "SamplingFnT",
]

DISCOVER_TIMEOUT_SECONDS = 10.0
"""How long the official package waits for an answer to `server/discover`, in seconds."""


def __getattr__(name: str) -> Any:
    if name == "DEFAULT_CLIENT_INFO":
        return rooted.find("Implementation")(name="mcp", version="0.1.0")
    if name == "ClientResponse":
        from pydantic import TypeAdapter

        from ..types import ClientResult, ErrorData

        return TypeAdapter(ClientResult | ErrorData)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class ClientSession(_ClientSession):
    """A connection to one server, as 2.x has it: entered as a context manager, then begun with
    `initialize`, `discover` or `adopt`.

    Args:
        read_stream: The messages from the server.
        write_stream: Takes the messages to the server.
        read_timeout_seconds: Longest wait for an answer, in seconds. Default: no limit.
        sampling_callback: Called when the server asks for a message of a language model.
        elicitation_callback: Called when the server asks the user a question.
        list_roots_callback: Called when the server asks for the roots it may work on.
        logging_callback: Called with each log message of the server.
        message_handler: Called with each notification and each transport error.
        client_info: Name and version that this program sends to the server.
        log_level: The lowest level of log messages that requests ask for, on the modern era.
        sampling_capabilities: What the sampling callback supports beyond plain text.
        extensions: The extensions that are announced, with their settings, by identifier.
        result_claims: Results in other shapes that these extensions understand, by identifier.
        notification_bindings: Notifications that they handle.
        dispatcher: Refused: the engine carries the messages of a session. Give the two streams.

    Raises:
        UsageError: A dispatcher was given, or no streams.
    """

    def __init__(
        self,
        read_stream: Any = None,
        write_stream: Any = None,
        read_timeout_seconds: float | None = None,
        sampling_callback: SamplingFnT | None = None,
        elicitation_callback: ElicitationFnT | None = None,
        list_roots_callback: ListRootsFnT | None = None,
        logging_callback: LoggingFnT | None = None,
        message_handler: MessageHandlerFnT | None = None,
        client_info: Implementation | None = None,
        *,
        log_level: LoggingLevel | None = None,
        sampling_capabilities: SamplingCapability | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
        result_claims: Mapping[str, Sequence[ResultClaim[Any]]] | None = None,
        notification_bindings: Sequence[NotificationBinding[Any]] | None = None,
        dispatcher: Any = None,
        **more: Any,
    ) -> None:
        if dispatcher is not None:
            if read_stream is not None or write_stream is not None:
                raise ValueError("pass read_stream/write_stream or dispatcher, not both")
            raise UsageError("dispatcher: the engine carries a session's messages; give read_stream and write_stream")
        if read_stream is None or write_stream is None:
            raise ValueError("read_stream and write_stream are required when no dispatcher is given")
        super().__init__(
            read_stream,
            write_stream,
            cast("Any", read_timeout_seconds),
            sampling_callback,
            elicitation_callback,
            list_roots_callback,
            logging_callback,
            message_handler,
            cast("Any", client_info),
            log_level=log_level,
            sampling_capabilities=cast("Any", sampling_capabilities),
            **cast("Any", {"models": rooted, **more}),
        )
        self.extend(folded(extensions, result_claims, notification_bindings))
        # What the arguments of listed tools repeat in headers. The engine learns it from the
        # same lists and writes the headers.
        self._x_mcp_header_maps: dict[str, dict[tuple[str, ...], str]] = {}
        # The answer to `server/discover`, before it is adopted.
        self._probed: dict[str, Any] | None = None
        self._has_asked = False

    # Its beginning

    async def initialize(self) -> InitializeResult:  # type: ignore[override]
        """Do the handshake with `initialize`; done once, the earlier answer is returned.

        Raises:
            MCPError: The server refused.
            RuntimeError: The server answered with a revision that is not known.
        """
        found: Any = self.initialize_result
        if found is None:
            found = await super().initialize()
        return cast("InitializeResult", found)

    async def _initialized(self, params: dict[str, Any]) -> Any:
        if not self._has_asked or self._handshake is not None or self._connection is None:
            return await super()._initialized(params)
        item = await self._connection.initialize("legacy")
        if item.failure is not None:
            raise self._refused(item.failure)
        self._handshake = self._models.InitializeResult.model_validate(item.result)
        return self._handshake

    async def send_discover(self, version: str) -> dict[str, Any]:
        """Ask `server/discover` once, and return the answer as it came. Nothing is adopted.

        Args:
            version: The revision that is proposed. The engine proposes the newest it has.

        Raises:
            MCPError: The server refused, or does not know the method.
        """
        del version
        if self._handshake is not None:
            # The session has begun: the server is only asked again.
            return dict(await self._ask("server/discover", None, DISCOVER_TIMEOUT_SECONDS, None))
        connection = self._connection or self._open(model_dict(self._introduction()))
        self._has_asked = True
        item = await connection.discover()
        if item.failure is not None:
            raise self._refused(item.failure)
        self._probed = dict(item.result)
        return dict(item.result)

    async def discover(self) -> DiscoverResult:  # type: ignore[override]
        """Ask `server/discover` and adopt the answer; done once, the earlier answer is returned."""
        from ..types import DiscoverResult

        found: Any = self.discover_result
        if found is None:
            answer = await self.send_discover(MODERN_REVISIONS[-1])
            self.adopt(DiscoverResult.model_validate(answer))
            found = self.discover_result
        return cast("DiscoverResult", found)

    def adopt(self, result: Any) -> None:
        """Begin, or go on, with an answer that the program holds.

        Args:
            result: A `DiscoverResult`, or an `InitializeResult` of a handshake done elsewhere.

        Raises:
            RuntimeError: This package supports none of the server's modern revisions.
        """
        from ..types import InitializeResult

        if isinstance(result, InitializeResult):
            self._adopt_handshake(result)
        elif self._probed is None:
            super().adopt(result)
        else:
            offered: list[str] = result.supported_versions
            mutual = [revision for revision in MODERN_REVISIONS if revision in offered]
            if not mutual:
                ours = list(MODERN_REVISIONS)
                raise RuntimeError(
                    f"No mutually supported modern protocol version (server: {offered}, client: {ours})"
                )
            self._agreed(model_dict(result), mutual[-1])

    def _adopt_handshake(self, result: InitializeResult) -> None:
        known: dict[str, Any] = {**model_dict(result), "supportedVersions": [result.protocol_version]}
        connection = self._open(model_dict(self._introduction()))
        connection.adopt(result.protocol_version, dumps(known))
        self._handshake, self._discovered = cast("Any", result), None

    # Requests

    async def _send_request(  # type: ignore[override]
        self, request: Any, result_type: Any, limit: Any, metadata: Any, progress_callback: Any
    ) -> Any:
        reads = getattr(result_type, "validate_python", None)
        kind: Any = result_type if reads is None else _Reads(reads)
        return await super()._send_request(request, kind, limit, metadata, progress_callback)

    async def list_tools(  # type: ignore[override]
        self, *, params: PaginatedRequestParams | None = None
    ) -> ListToolsResult:
        """List one page of the server's tools, without those whose headers cannot be written."""
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
        """Call a tool. If the tool itself fails, the result says so with `is_error`.

        Args:
            name: The tool's name.
            arguments: The tool's arguments.
            read_timeout_seconds: Longest wait for the answer. Default: that of the session.
            progress_callback: Called with each progress report.
            input_responses: Answers to the questions of an earlier round.
            request_state: The state that came with those questions.
            meta: The `_meta` of the request.
            allow_input_required: Whether to return questions instead of asking the callbacks.
            allow_claimed: Whether to return a result of an extension as that extension's model.

        Raises:
            UnexpectedClaimedResult: An extension's result came where questions were allowed, and
                results of extensions were not.
        """
        if self._x_mcp_header_maps.get(name) and name not in self._tool_output_schemas:
            # The program knows the headers from elsewhere; the engine learns them from a list.
            await self.list_tools()
        this = Round(input_responses, request_state, allow_input_required, self._models)
        limit: Any = read_timeout_seconds
        wire = None if meta is None else as_wire(meta)
        if not this.is_by_hand:
            options: Any = {"meta": wire, "allow_claimed": allow_claimed}
            found: Any = await super().call_tool(name, arguments, limit, progress_callback, **options)
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

    async def read_resource(  # type: ignore[override]
        self,
        uri: str,
        *,
        input_responses: Mapping[str, Any] | None = None,
        request_state: str | None = None,
        meta: Mapping[str, Any] | None = None,
        allow_input_required: bool = False,
    ) -> Any:
        """Read the contents of a resource. The keyword arguments are those of `call_tool`."""
        this = Round(input_responses, request_state, allow_input_required, self._models)
        return await self._got("resources/read", {"uri": str(uri)}, meta, this, "ReadResourceResult")

    async def get_prompt(  # type: ignore[override]
        self,
        name: str,
        arguments: dict[str, str] | None = None,
        *,
        input_responses: Mapping[str, Any] | None = None,
        request_state: str | None = None,
        meta: Mapping[str, Any] | None = None,
        allow_input_required: bool = False,
    ) -> Any:
        """Get a prompt with its arguments filled in. The keyword arguments are those of
        `call_tool`.
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
        """Check that the server responds. Legacy era only."""
        return await self._asked("ping", {}, meta)

    async def set_logging_level(  # type: ignore[override]
        self, level: LoggingLevel, *, meta: Mapping[str, Any] | None = None
    ) -> EmptyResult:
        """Set the lowest level of log messages that the server should send."""
        return await self._asked("logging/setLevel", {"level": level}, meta)

    async def subscribe_resource(  # type: ignore[override]
        self, uri: str, *, meta: Mapping[str, Any] | None = None
    ) -> EmptyResult:
        """Ask the server to report changes of a resource."""
        if await self._watch(str(uri), True):
            return cast("EmptyResult", self._models.EmptyResult())
        return await self._asked("resources/subscribe", {"uri": str(uri)}, meta)

    async def unsubscribe_resource(  # type: ignore[override]
        self, uri: str, *, meta: Mapping[str, Any] | None = None
    ) -> EmptyResult:
        """End a subscription made with `subscribe_resource`."""
        if await self._watch(str(uri), False):
            return cast("EmptyResult", self._models.EmptyResult())
        return await self._asked("resources/unsubscribe", {"uri": str(uri)}, meta)

    async def send_progress_notification(  # type: ignore[override]
        self,
        progress_token: str | int,
        progress: float,
        total: float | None = None,
        message: str | None = None,
        *,
        meta: Mapping[str, Any] | None = None,
    ) -> None:
        """Report progress on a request that the server sent."""
        from ..types import ProgressNotification, ProgressNotificationParams

        params = ProgressNotificationParams(
            progress_token=progress_token,
            progress=progress,
            total=total,
            message=message,
            _meta=None if meta is None else dict(meta),  # type: ignore[arg-type]
        )
        await self.send_notification(cast("Any", ProgressNotification(params=params)))

    async def validate_tool_result(self, name: str, result: CallToolResult) -> None:
        """Check structured content against the schema that the tool declares for it. A subclass
        that only passes results on overrides this.

        Raises:
            RuntimeError: It is missing, or does not fit.
        """
        await super()._validate_tool_result(name, cast("Any", result))

    async def _validate_tool_result(self, name: str, result: Any) -> None:
        await self.validate_tool_result(name, result)

    async def dispatch_input_request(self, ctx: ClientRequestContext, request: InputRequest) -> Any:
        """Have the callback for a question answer it.

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
        """Send any request; `params` is JSON text. The result is as it came.

        Args:
            method: The method.
            params: The params.
            limit: Longest wait for the answer, in seconds. Default: that of the session.
            told: Called with each progress report.
        """
        return await self._ask(method, params, self._limit(limit), told, more=RAW)

    async def notify_raw(self, method: str, params: str | None) -> None:
        """Send any notification; `params` is JSON text."""
        await self._opened().send(method, params)

    def _stamp(self, data: dict[str, Any], opts: dict[str, Any]) -> None:
        # The engine writes the envelope and the headers of what is sent through it.
        del data, opts

    @property
    def _dispatcher(self) -> _Carrying:
        return _Carrying(self)


class _Carrying:
    """What programs ask of the official session's dispatcher: whether the connection is over."""

    def __init__(self, session: ClientSession) -> None:
        self._session = session

    @property
    def _closed(self) -> bool:
        return self._session.state == "closed"

    async def send_raw_request(
        self, method: str, params: Mapping[str, Any] | None, opts: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        given = opts or {}
        text = None if params is None else dumps(dict(params))
        return dict(await self._session.send_raw(method, text, given.get("timeout"), given.get("on_progress")))

    async def notify(
        self, method: str, params: Mapping[str, Any] | None, opts: Mapping[str, Any] | None = None
    ) -> None:
        await self._session.notify_raw(method, None if params is None else dumps(dict(params)))


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


def folded(
    extensions: Mapping[str, dict[str, Any]] | None,
    claims: Mapping[str, Sequence[ResultClaim[Any]]] | None,
    bindings: Sequence[NotificationBinding[Any]] | None,
) -> Extensions:
    """The extensions of a session from what its constructor is told.

    Raises:
        ValueError: A claim without its extension, an empty list of claims, or a name twice.
    """
    shown = dict(extensions or {})
    claimed = dict(claims or {})
    for identifier, those in claimed.items():
        if identifier not in shown:
            raise ValueError(f"result_claims key {identifier!r} has no extensions entry: add it to extensions")
        if not those:
            raise ValueError(f"result_claims[{identifier!r}] is empty: leave the key out")
    tags = [claim.result_type for those in claimed.values() for claim in those]
    twice = next((tag for tag in tags if tags.count(tag) > 1), None)
    if twice is not None:
        raise ValueError(f"duplicate result claim for resultType {twice!r}")
    methods = [binding.method for binding in bindings or ()]
    twice = next((method for method in methods if methods.count(method) > 1), None)
    if twice is not None:
        raise ValueError(f"duplicate notification binding for method {twice!r}")
    made = Extensions([_Given(identifier, said, claimed.get(identifier, ())) for identifier, said in shown.items()])
    made.bindings.update({binding.method: binding for binding in bindings or ()})
    return made


class _Given:
    """An extension of which a program names the parts."""

    def __init__(self, identifier: str, said: dict[str, Any], claims: Sequence[ResultClaim[Any]]) -> None:
        self.identifier = identifier
        self._said, self._claims = said, claims

    def settings(self) -> dict[str, Any]:
        return self._said

    def claims(self) -> Sequence[ResultClaim[Any]]:
        return self._claims

    def notifications(self) -> Sequence[NotificationBinding[Any]]:
        return ()


face.current.shape(ClientSession)
