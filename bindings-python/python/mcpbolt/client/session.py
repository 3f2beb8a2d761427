"""`ClientSession`: one live connection to a server, with a method for each request.

Owns: requests, callbacks, and results as models. Must not know: bytes and how they travel;
`Connection` handles those.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from .._engine import face, otel
from .._engine.connection import Connection
from .._engine.json import dumps, model_dict
from .._mcpbolt import EngineError
from ..shared.exceptions import (
    in_time,
    McpError,
    TimeoutError,
    UsageError,
    from_engine,
    from_failure,
)
from ..shared.session import OWN_SEND_REQUEST, BaseSession
from ._callbacks import (
    ElicitationFnT,
    ListRootsFnT,
    LoggingFnT,
    MessageHandlerFnT,
    SamplingFnT,
    default_elicitation_callback,
    default_list_roots_callback,
    default_logging_callback,
    default_message_handler,
    default_sampling_callback,
)
from ._connection import ClosedError
from ._handshake import Handshake, default_client_info
from ._incoming import Incoming
from ._levels import checked_level, says_level
from ._requests import ClientRequests
from ._structured import OutputSchemas
from ._watching import Watching
from ._words import with_place

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from typing_extensions import Self

    from .._engine.validating import ValidateResult
    from ..shared.message import MessageMetadata, SessionMessage
    from ..shared.session import ProgressFnT
    from ..types import (
        CallToolResult,
        ClientNotification,
        ClientRequest,
        ClientResult,
        Implementation,
        LoggingLevel,
        RequestId,
        SamplingCapability,
        ServerNotification,
        ServerRequest,
        Tool,
    )
    from .extension import Extensions

    _Base = BaseSession[ClientRequest, ClientNotification, ClientResult, ServerRequest, ServerNotification]
else:
    _Base = BaseSession

__all__ = [
    "ClientSession",
    "ElicitationFnT",
    "ListRootsFnT",
    "LoggingFnT",
    "MessageHandlerFnT",
    "SamplingFnT",
]

logger: logging.Logger = logging.getLogger("client")

ResultT = TypeVar("ResultT")
_CLOSED = ("closed", -32000, "the connection is closed", None)


def __getattr__(name: str) -> Any:
    if name == "DEFAULT_CLIENT_INFO":
        return default_client_info()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class ClientSession(ClientRequests, Handshake, Incoming, _Base):
    """A connection to one server.

    Streams that a transport of this package yields are not actually read: the engine talks to
    the server directly. Any other streams are read and written as they are. The session need
    not be entered as a context manager and may be used from any task. The connection begins
    with `initialize()` and ends with `close()`.

    Args:
        read_stream: The messages from the server.
        write_stream: Takes the messages to the server.
        read_timeout_seconds: Longest wait for an answer. Default: no limit.
        sampling_callback: Called when the server asks for a message of a language model.
        elicitation_callback: Called when the server asks the user a question.
        list_roots_callback: Called when the server asks for the roots it may work on.
        logging_callback: Called with each log message of the server.
        message_handler: Called with each notification, with each request that no callback
            answers, and with each transport error, as an exception.
        client_info: Name and version that this program sends to the server.
        log_level: The lowest level of log messages that requests ask for, on the modern era.
            Default: none are asked for. A level in a request's own `_meta` takes precedence.
        sampling_capabilities: What the sampling callback supports beyond plain text.
        validate_result: Called with the method, the name and the result before the caller
            gets a result. Returns `None` to accept it, or the reason for refusing it. May be
            async. If it raises, the result is refused.
        options: Options of the engine by name: `max_result_bytes`, `check_media`,
            `max_rounds` and so on.
    """

    def __init__(
        self,
        read_stream: MemoryObjectReceiveStream[SessionMessage | Exception],
        write_stream: MemoryObjectSendStream[SessionMessage],
        read_timeout_seconds: timedelta | None = None,
        sampling_callback: SamplingFnT | None = None,
        elicitation_callback: ElicitationFnT | None = None,
        list_roots_callback: ListRootsFnT | None = None,
        logging_callback: LoggingFnT | None = None,
        message_handler: MessageHandlerFnT | None = None,
        client_info: Implementation | None = None,
        *,
        log_level: LoggingLevel | None = None,
        sampling_capabilities: SamplingCapability | None = None,
        experimental_task_handlers: Any = None,
        validate_result: ValidateResult | None = None,
        options: dict[str, Any] | None = None,
    ) -> None:
        from ..types import ServerNotification, ServerRequest

        super().__init__(
            read_stream,
            write_stream,
            ServerRequest,
            ServerNotification,
            read_timeout_seconds=read_timeout_seconds,
        )
        if experimental_task_handlers is not None:
            raise UsageError("experimental tasks left the protocol: leave experimental_task_handlers out")
        self._client_info = client_info
        self._validate_result = validate_result
        self._options = options
        self._sampling_callback = sampling_callback or default_sampling_callback
        self._sampling_capabilities = sampling_capabilities
        self._elicitation_callback = elicitation_callback or default_elicitation_callback
        self._list_roots_callback = list_roots_callback or default_list_roots_callback
        self._logging_callback = logging_callback or default_logging_callback
        self._message_handler = message_handler or default_message_handler
        self._tool_output_schemas = OutputSchemas()
        self._log_level = checked_level(log_level)
        self._connection: Connection | None = None
        self._watching = Watching(self)
        cls = type(self)
        # A subclass that overrides one of these hooks wants to see every message.
        self._hooked = (
            cls._received_notification is not ClientSession._received_notification
            or cls._handle_incoming is not ClientSession._handle_incoming
        )

    # Life

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> bool | None:
        await self.close()
        return None

    def configure(self, protocol: str, options: dict[str, Any]) -> None:
        """Set the era to try and further options of the engine's client. Only before the
        handshake.
        """
        self._protocol, self._extra_options = protocol, options

    def extend(self, extensions: Extensions) -> None:
        """Give the session its extensions. Only before the handshake."""
        self._extensions = extensions

    async def close(self) -> None:
        """Close the connection. Requests that wait for an answer fail, and the server is
        notified.

        May be called more than once and from any task; ends in bounded time.
        """
        await self._exit_stack.aclose()
        if self._connection is not None:
            await self._connection.close()

    @property
    def state(self) -> str:
        """The state of the connection: `open`, `connecting`, `ready`, `reconnecting` or
        `closed`.
        """
        connection = self._connection
        if connection is None:
            return "open"
        return "closed" if connection.over.is_set() else connection.describe().get("state", "closed")

    def stats(self) -> dict[str, Any]:
        """Counters of the connection, with the names of `Server.stats`; empty before the
        connection is open and after it is closed.
        """
        return {} if self._connection is None else self._connection.stats()

    async def wait_closed(self) -> None:
        """Wait until the connection is closed, by either side."""
        if self._connection is not None:
            await self._connection.over.wait()

    # Requests

    async def _send_request(
        self,
        request: Any,
        result_type: type[ResultT],
        request_read_timeout_seconds: timedelta | None,
        metadata: MessageMetadata,
        progress_callback: ProgressFnT | None,
    ) -> ResultT:
        message = model_dict(request)
        method, params = message["method"], message.get("params")
        if method == "initialize":
            return cast("ResultT", await self._initialized(params or {}))
        limit = self._limit(request_read_timeout_seconds)
        text = None if params is None else dumps(params)
        result = await self._ask(method, text, limit, progress_callback, type(request).__name__)
        return cast("ResultT", cast("Any", result_type).model_validate(result))

    _own_send: ClassVar[Any] = staticmethod(OWN_SEND_REQUEST)

    def _limit(self, given: timedelta | float | None) -> float | None:
        limit = given if given is not None else self._session_read_timeout_seconds
        return limit.total_seconds() if isinstance(limit, timedelta) else limit

    def _opened(self) -> Connection:
        if self._connection is None:
            raise UsageError("the session is not open: await initialize() first")
        return self._connection

    async def _ask(
        self,
        method: str,
        params: str | None,
        limit: float | None,
        progress_callback: ProgressFnT | None,
        what: str = "ClientRequest",
        more: dict[str, Any] | None = None,
    ) -> Any:
        connection = self._opened()
        if connection.over.is_set():
            raise ClosedError(self._failed(connection.failure or _CLOSED, what, limit).error)
        if self._log_level is not None and not says_level(params):
            more = {**(more or {}), "log_level": self._log_level}
        if limit is not None:
            more = {**(more or {}), "timeout": limit, "reset_on_progress": False}
        listener = None if progress_callback is None else self._listener(connection, progress_callback)
        if not otel.is_on():
            return await self._answer(connection, method, params, listener, more, (what, limit))
        from .._engine.spans import client_span

        with client_span(method, params) as traced:
            return await self._answer(connection, method, traced, listener, more, (what, limit))

    async def _answer(
        self,
        connection: Connection,
        method: str,
        params: str | None,
        listener: Callable[[Any], None] | None,
        more: dict[str, Any] | None,
        asked: tuple[str, float | None],
    ) -> Any:
        try:
            item = await connection.driver.request(connection.number, method, params, None, listener, more)
        except EngineError as error:
            raise from_engine(error) from None
        await connection.serial.settled()
        if item.failure is not None:
            raise in_time(self._failed(item.failure, *asked), method)
        return item.result

    def _listener(self, connection: Connection, callback: ProgressFnT) -> Callable[[Any], None]:
        return lambda report: connection.serial.put(lambda: self._progressed(callback, report))

    async def ask(
        self, method: str, params: str | None = None, *, fresh: bool = False, limit: float | None = None
    ) -> Any:
        """Send any request.

        Args:
            method: The method.
            params: The params as JSON text.
            fresh: Ask the server even if a cached result is still valid.

        Returns:
            The result as plain JSON values.
        """
        return await self._ask(method, params, self._limit(limit), None, more={"fresh": True} if fresh else None)

    @property
    def is_modern(self) -> bool:
        """Whether the connection uses a revision of the modern era."""
        return self._opened().describe().get("era") == "modern"

    @property
    def limit(self) -> float | None:
        """The session's own limit for an answer, in seconds; `None` if it has none."""
        return self._limit(None)

    def open_stream(
        self, method: str, params: str, take: Callable[[str, Any], None], ended: Callable[[Any], None]
    ) -> Callable[[], None]:
        """Begin a request that stays open; see `Connection.open_stream`."""
        more = None if self._log_level is None else {"log_level": self._log_level}
        return self._opened().open_stream(method, params, take, ended, more)

    def show(self, method: str, params: Any) -> None:
        """Handle a notification that came on an open request as if it had come by itself."""
        self._opened().show(method, params)

    async def _watch(self, uri: str, on: bool) -> bool:
        if not self.is_modern:
            return False
        if on:
            await self._watching.watch(uri)
        else:
            self._watching.unwatch(uri)
        return True

    def saw_tools(self, tools: list[Tool]) -> None:
        """Keep the output schemas of tools, to check results against them."""
        for tool in tools:
            self._tool_output_schemas[tool.name] = tool.outputSchema

    async def _progressed(self, callback: ProgressFnT, report: dict[str, Any]) -> None:
        try:
            total = report.get("total")
            # The engine sends whole numbers as integers; callbacks expect floats.
            await callback(float(report["progress"]), None if total is None else float(total), report.get("message"))
        except Exception as error:
            logger.error("Progress callback raised an exception: %s", error)
        if self.wants("notifications/progress"):
            await self.take_notification("notifications/progress", report)

    def _failed(self, failure: tuple[str, int, str, Any], what: str, limit: float | None) -> McpError:
        connection = self._connection
        error = from_failure(failure if connection is None else with_place(failure, connection.target))
        if isinstance(error, TimeoutError) and limit is not None:
            return TimeoutError(f"Timed out while waiting for response to {what}. Waited {limit} seconds.")
        if face.current.hides_connections and error.kind in ("closed", "transport"):
            shown = type(error)(-32000, "Connection closed")
            # The cause is shown in tracebacks.
            shown.__cause__ = error
            return shown
        return error

    async def _send_notification(self, notification: Any, related_request_id: RequestId | None) -> None:
        message = model_dict(notification)
        # The engine sends this notification itself.
        if message["method"] != "notifications/initialized":
            params = message.get("params")
            await self._opened().send(message["method"], None if params is None else dumps(params))

    async def send_response(self, request_id: RequestId, response: Any) -> None:
        """Answer a request of the server with a result or with `ErrorData`."""
        from ..types import ErrorData

        if isinstance(response, ErrorData):
            data = None if response.data is None else dumps(response.data)
            self._opened().respond(request_id, (None, "", response.code, response.message, data))
        else:
            self._opened().respond(request_id, (dumps(model_dict(response)),))

    _send_response = send_response

    async def _validate_tool_result(self, name: str, result: CallToolResult) -> None:
        if name not in self._tool_output_schemas:
            await self.list_tools()
        if name not in self._tool_output_schemas:
            logger.warning("Tool %s not listed by server, cannot validate any structured content", name)
            return
        self._tool_output_schemas.check(name, result.structuredContent)


face.current.shape(ClientSession)
