"""A server's session with one client: what the client declared, and requests to it.

Owns: the requests and notifications that a server may send. Those sent for a call travel on
its stream; on the modern era, a question parks the call until the client returns with the
answer. A session made by hand on two streams, without an engine, does its own protocol, see
`BaseSession`.
"""

from __future__ import annotations

import logging
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeVar, cast

from .._engine import face, otel
from .._engine.context import request_ctx
from .._engine.json import dumps, model_dict
from .._engine.serial import Serial
from .._mcpbolt import EngineError
from ..shared._progress import report_params, tell
from ..shared.exceptions import McpError, SessionClosed, from_engine, from_failure, in_time
from ..shared.session import BaseSession, RequestResponder
from ..shared.version import LATEST_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS
from ._about_tasks import AboutTasks
from ._announcing import Announcing
from ._asking import Asking
from ._error_responses import as_clients_refuse, refuse_within_calls
from ._live import LiveContext

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import timedelta

    from anyio.streams.memory import MemoryObjectReceiveStream

    from .. import types
    from .._engine.host import ServerHost
    from ..shared.message import MessageMetadata, SessionMessage
    from ..shared.session import ProgressFnT
    from .models import InitializationOptions

logger: logging.Logger = logging.getLogger("mcp.server.session")

ServerSessionT = TypeVar("ServerSessionT", bound="ServerSession")
ResultT = TypeVar("ResultT")


class InitializationState(Enum):
    """The progress of a session's handshake."""

    NotInitialized = 1
    Initializing = 2
    Initialized = 3


class ServerSession(AboutTasks, Announcing, Asking, BaseSession[Any, Any, Any, Any, Any]):
    """A server's session with one client, as handlers get it.

    Args:
        read_stream: The stream that messages from the client are read from.
        write_stream: The stream that messages to the client are written to.
        init_options: The description of the server for the handshake.
        stateless: Whether requests are answered that no handshake came before. Default: no.
    """

    _host: ServerHost | None = None
    _number = 0
    _client_params: types.InitializeRequestParams | None = None

    def __init__(
        self,
        read_stream: MemoryObjectReceiveStream[SessionMessage | Exception],
        write_stream: Any,
        init_options: InitializationOptions,
        stateless: bool = False,
    ) -> None:
        from anyio import create_memory_object_stream

        from ..types import ClientNotification, ClientRequest

        super().__init__(read_stream, write_stream, ClientRequest, ClientNotification)
        states = InitializationState
        self._initialization_state = states.Initialized if stateless else states.NotInitialized
        self._init_options = init_options
        self._incoming_writer, self._incoming_reader = create_memory_object_stream[Any](0)
        self._exit_stack.push_async_callback(self._incoming_reader.aclose)

    @classmethod
    def attached(cls, host: ServerHost, connection: int) -> ServerSession:
        """Make the session of a connection that the engine carries.

        Args:
            host: The host that serves the connection.
            connection: The number of the connection in the engine.
        """
        session = cls.__new__(cls)
        session._host = host
        session._number = connection
        session._initialization_state = InitializationState.Initialized
        return session

    # What the client declared

    @property
    def client_params(self) -> types.InitializeRequestParams | None:
        """The params of the client's `initialize`; `None` before the handshake. For clients of
        2026-07-28, which have no handshake, they are made from the request being answered.
        """
        if self._host is None:
            return self._client_params
        # Outside of a call it is what the client declared in the handshake.
        about = self.described
        if about.get("clientCapabilities") is None:
            return self._client_params
        from ..types import InitializeRequestParams

        info = about.get("clientInfo") or {"name": "unknown", "version": "0"}
        self._client_params = InitializeRequestParams.model_validate(
            {
                "protocolVersion": about["revision"],
                "capabilities": about["clientCapabilities"],
                "clientInfo": info,
            }
        )
        return self._client_params

    def check_client_capability(self, capability: types.ClientCapabilities) -> bool:
        """Whether the client declared a capability, including all members that are set in it.

        Args:
            capability: The capabilities that are needed, such as
                `ClientCapabilities(sampling=SamplingCapability())`.
        """
        params = self.client_params
        if params is None:
            return False
        has = model_dict(params.capabilities)
        wanted = model_dict(capability)
        experimental = wanted.pop("experimental", {})
        known = has.get("experimental", {})
        return _covers(has, wanted) and all(known.get(name, ...) == value for name, value in experimental.items())

    @property
    def client_capabilities(self) -> types.ClientCapabilities | None:
        """The capabilities that the client declared; `None` before the handshake."""
        params = self.client_params
        return None if params is None else params.capabilities

    @property
    def client_info(self) -> types.Implementation | None:
        """The name and version that the client sent; `None` before the handshake."""
        params = self.client_params
        return None if params is None else params.clientInfo

    @property
    def protocol_version(self) -> str | None:
        """The protocol revision of the session or, without sessions (2026-07-28), of the request being
        answered; `None` before the handshake.
        """
        params = self.client_params
        return None if params is None else str(params.protocolVersion)

    async def report_progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """Report progress on the request being answered. Does nothing if the client did not
        ask for it.

        Args:
            progress: How much is done, in any unit; must increase with each report.
            total: The value of `progress` when the work is complete. Default: not known.
            message: A text that describes the current step, for the user. Default: none.
        """
        live = self._current()
        token = None if live is None else (live.raw_meta or {}).get("progressToken")
        if token is not None:
            await self.send_progress_notification(token, progress, total, message)

    # Requests to the client

    async def _send_request(
        self,
        request: Any,
        result_type: type[ResultT],
        request_read_timeout_seconds: timedelta | None,
        metadata: MessageMetadata,
        progress_callback: ProgressFnT | None,
    ) -> ResultT:
        host = self._host
        if host is None:
            return await super()._send_request(
                request, result_type, request_read_timeout_seconds, metadata, progress_callback
            )
        message = model_dict(request)
        given: Any = request_read_timeout_seconds or None
        seconds = given.total_seconds() if hasattr(given, "total_seconds") else given
        live = self._call_of(getattr(metadata, "related_request_id", None)) or self._current()
        target = live.call if live is not None else self._number
        hearers = None if progress_callback is None else {"progress": _listener(host, progress_callback)}
        params: Any = message.get("params")
        text = None if params is None else dumps(params)
        if not otel.is_on():
            result = await self._asked(target, message["method"], text, seconds, hearers)
        else:
            from .._engine.spans import client_span

            with client_span(message["method"], text, None, host.server.extension_methods) as sent:
                result = await self._asked(target, message["method"], sent.params, seconds, hearers)
        return cast("ResultT", cast("Any", result_type).model_validate(result))

    async def _asked(self, target: int, method: str, params: str | None, seconds: float | None, hearers: Any) -> Any:
        assert self._host is not None
        refuse_within_calls(method, self._current())
        try:
            item = await self._host.driver.request(target, method, params, seconds, hearers)
        except EngineError as error:
            raise as_clients_refuse(from_engine(error), method) from None
        if item.failure is not None:
            if face.current.plain_errors and item.failure[0] == "timeout":
                raise McpError(408, f"Timed out while waiting for response to ServerRequest. Waited {seconds} seconds.")
            raise as_clients_refuse(in_time(from_failure(item.failure), method), method)
        return item.result

    # Notifications to the client

    async def _send_notification(self, notification: Any, related_request_id: types.RequestId | None) -> None:
        if self._host is None:
            await super()._send_notification(notification, related_request_id)
            return
        message = model_dict(notification)
        params = message.get("params")
        live = self._call_of(related_request_id)
        await self._send(live, message["method"], None if params is None else dumps(params))

    async def _send(self, live: LiveContext | None, method: str, params: str | None) -> None:
        host = self._host
        assert host is not None
        if live is None:
            current = self._current()
            # On the modern era only requests have streams.
            if current is not None and current.about.get("era") == "modern":
                live = current
        target = live.call if live is not None else self._number
        if not await host.driver.send(target, method, params) and host.over.is_set():
            raise SessionClosed("the client is gone")

    async def send_progress_notification(
        self,
        progress_token: str | int,
        progress: float,
        total: float | None = None,
        message: str | None = None,
        related_request_id: str | None = None,
    ) -> None:
        """Report progress on a request of the client. Waits while the client is slow to read
        earlier messages.

        Args:
            progress_token: The token from the `_meta` of that request.
            progress: How much is done, in any unit; must increase with each report.
            total: The value of `progress` when the work is complete. Default: not known.
            message: A text that describes the current step, for the user. Default: none.
            related_request_id: The id of the client's request on whose stream to send the message.
                Default: none.
        """
        params = report_params(progress_token, progress, total, message)
        if self._host is None:
            from ..types import ProgressNotification

            content = ProgressNotification.model_validate({"method": "notifications/progress", "params": params})
            await self.send_notification(content, related_request_id)
            return
        await self._send(self._call_with_token(progress_token), "notifications/progress", dumps(params))

    async def _tell(self, method: str, params: Any = None, related: types.RequestId | None = None) -> None:
        message = {"method": method} if params is None else {"method": method, "params": params}
        if self._host is None:
            from ..types import ServerNotification

            await self.send_notification(ServerNotification.model_validate(message), related)
        else:
            await self._send(self._call_of(related), method, None if params is None else dumps(params))

    # The call that a message belongs to

    def _current(self) -> LiveContext | None:
        live: Any = request_ctx.get(None)
        mine = isinstance(live, LiveContext) and live.host is self._host and live.item.connection == self._number
        return live if mine and live.call in live.host.live else None

    def _call_of(self, request_id: types.RequestId | None) -> LiveContext | None:
        if request_id is None or self._host is None:
            return None
        wanted = str(request_id)
        current = self._current()
        if current is not None and str(current.request_id) == wanted:
            return current
        return next((live for live in self._calls() if str(live.request_id) == wanted), None)

    def _call_with_token(self, token: str | int) -> LiveContext | None:
        current = self._current()
        calls = self._calls() if current is None else [current, *self._calls()]
        return next((live for live in calls if (live.raw_meta or {}).get("progressToken") == token), None)

    def _calls(self) -> list[LiveContext]:
        assert self._host is not None
        calls = cast("list[LiveContext]", list(self._host.live.values()))
        return [live for live in calls if live.item.connection == self._number]

    # Sessions made by hand, on streams of their own

    async def _receive_loop(self) -> None:
        async with self._incoming_writer:
            await super()._receive_loop()

    async def _received_request(self, responder: RequestResponder[Any, Any]) -> None:
        root = responder.request.root
        if root.method == "initialize":
            self._client_params = root.params
            with responder:
                await responder.respond(self._hello(root.params.protocolVersion))
            self._initialization_state = InitializationState.Initialized
        elif root.method != "ping" and self._initialization_state != InitializationState.Initialized:
            raise RuntimeError("Received request before initialization was complete")

    def _hello(self, wanted: str | int) -> Any:
        from ..types import InitializeResult, ServerResult
        from ._about import about_of

        revision = wanted if wanted in SUPPORTED_PROTOCOL_VERSIONS else LATEST_PROTOCOL_VERSION
        return ServerResult(
            InitializeResult.model_validate({"protocolVersion": revision, **about_of(self._init_options)})
        )

    async def _received_notification(self, notification: Any) -> None:
        if notification.root.method == "notifications/initialized":
            self._initialization_state = InitializationState.Initialized

    async def _handle_incoming(self, req: Any) -> None:
        await self._incoming_writer.send(req)

    @property
    def incoming_messages(self) -> MemoryObjectReceiveStream[Any]:
        """The client's requests and notifications, on a session made by hand."""
        return self._incoming_reader


def _covers(has: dict[str, Any], wanted: dict[str, Any]) -> bool:
    for name, value in wanted.items():
        if value is False:
            continue
        if name not in has or (value is True and has[name] is not True):
            return False
        if isinstance(value, dict) and isinstance(has[name], dict) and not _covers(has[name], value):  # pyright: ignore
            return False
    return True


def _listener(host: ServerHost, callback: ProgressFnT) -> Callable[[Any], None]:
    serial = Serial(host.driver, host.context)
    return lambda report: serial.put(lambda: tell(callback, report, logger))


face.current.shape(ServerSession)
