"""`ClientSession`: one live connection to a server, with a method for each request.

Owns: requests, callbacks, and results as models. Must not know: bytes and how they travel;
`Connection` handles those.
"""

from __future__ import annotations

import logging
from datetime import timedelta
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar, cast

from .._engine import face
from .._engine.connection import Connection
from .._engine.json import dumps, model_dict
from ..shared.exceptions import McpError
from ..shared.message import ClientMessageMetadata
from ..shared.session import OWN_SEND_REQUEST, BaseSession
from ._callbacks import (
    default_elicitation_callback,
    default_list_roots_callback,
    default_logging_callback,
    default_message_handler,
    default_sampling_callback,
)
from ._early import Hearing
from ._faults import grouped
from ._handshake import Handshake, default_client_info
from ._incoming import Incoming
from ._levels import checked_level
from ._repeated import NAME_HEADER, name_to_repeat
from ._requests import ClientRequests
from ._sending import Sending
from ._structured import OutputSchemas
from ._watching import Watching

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from typing_extensions import Self

    from .._engine.validating import ValidateResult
    from ..shared.context import RequestContext
    from ..shared.message import MessageMetadata, SessionMessage
    from ..shared.session import ProgressFnT, RequestResponder
    from ..types import (
        CallToolResult,
        ClientNotification,
        ClientRequest,
        ClientResult,
        CreateMessageRequestParams,
        CreateMessageResult,
        CreateMessageResultWithTools,
        ElicitRequestParams,
        ElicitResult,
        ErrorData,
        Implementation,
        ListRootsResult,
        LoggingLevel,
        LoggingMessageNotificationParams,
        RequestId,
        SamplingCapability,
        ServerNotification,
        ServerRequest,
        Tool,
    )
    from ._extensions import Extensions
    from .experimental.task_handlers import ExperimentalTaskHandlers

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


def __getattr__(name: str) -> Any:
    if name == "DEFAULT_CLIENT_INFO":
        return default_client_info()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class SamplingFnT(Protocol):
    """The type of `sampling_callback`: answers a server's request for a message from a language model.

    .. deprecated:: 2026-07-28
       sampling, SEP-2577; earliest removal 2027-07-28. Call the model's provider from the
       server.
    """

    async def __call__(
        self, context: RequestContext[ClientSession, Any], params: CreateMessageRequestParams
    ) -> CreateMessageResult | CreateMessageResultWithTools | ErrorData:
        """Return the message, or `ErrorData` to refuse."""
        ...


class ElicitationFnT(Protocol):
    """The type of `elicitation_callback`: asks the user a question of the server."""

    async def __call__(
        self, context: RequestContext[ClientSession, Any], params: ElicitRequestParams
    ) -> ElicitResult | ErrorData:
        """Return what the user did: `accept` with content, `decline` or `cancel`; or `ErrorData` to
        refuse.
        """
        ...


class ListRootsFnT(Protocol):
    """The type of `list_roots_callback`: answers which folders and files a server may work on.

    .. deprecated:: 2026-07-28
       roots, SEP-2577; earliest removal 2027-07-28. Pass folders and files as tool parameters,
       resource URIs or settings of the server.
    """

    async def __call__(self, context: RequestContext[ClientSession, Any]) -> ListRootsResult | ErrorData:
        """Return the roots, or `ErrorData` to refuse."""
        ...


class LoggingFnT(Protocol):
    """The type of `logging_callback`: handles log messages of a server.

    .. deprecated:: 2026-07-28
       logging, SEP-2577; earliest removal 2027-07-28. Write to stderr on stdio; use
       OpenTelemetry elsewhere.
    """

    async def __call__(self, params: LoggingMessageNotificationParams) -> None:
        """Handle one log message."""
        ...


class MessageHandlerFnT(Protocol):
    """The type of `message_handler`: handles messages that no other callback answers."""

    async def __call__(
        self, message: RequestResponder[ServerRequest, ClientResult] | ServerNotification | Exception
    ) -> None:
        """Handle a notification, a request that no callback answers, or a transport error, which
        is an exception.
        """
        ...


class ClientSession(ClientRequests, Handshake, Hearing, Incoming, Sending, _Base):
    """A connection to one server.

    It begins with `initialize()` and ends with `close()`, or with the context if it is used as an
    async context manager. It may be used from any task. With the streams of this package's
    transports, such as `stdio_client`, the engine itself talks to the server; any other streams are
    read and written here.

    Args:
        read_stream: The stream that messages from the server are read from.
        write_stream: The stream that messages to the server are written to.
        read_timeout_seconds: Longest wait for an answer; progress does not extend it. The handshake
            has at least 5 seconds. Default: no limit.
        sampling_callback: Async function that is called when the server asks for a message from a
            language model. Default: none, and such requests are refused.
        elicitation_callback: Async function that is called when the server asks the user a question.
            Default: none, and such requests are refused.
        list_roots_callback: Async function that is called when the server asks for the roots that it
            may work on. Default: none, and such requests are refused.
        logging_callback: Async function that is called with each log message of the server.
            Default: they are ignored.
        message_handler: Async function that is called with each notification, with each request
            that no callback answers, and with each transport error, as an exception. While it is
            slow, the latest 10,000 wait and older ones are dropped. Default: they are ignored.
        client_info: The name and version of this program, sent to the server. Default: `mcp`,
            version `0.1.0`.
        log_level: The lowest level of log messages that requests ask for in 2026-07-28; a level in
            a request's own `_meta` takes precedence. Default: requests ask for none.
        sampling_capabilities: The capabilities of the sampling callback, such as tools. Default: no
            special ones.
        validate_result: Called with the method, the name of the tool or other object, and the
            result, before the caller gets the result. It returns `None` to accept it, or the reason
            for refusing it; if it raises, the result is refused. May be async. Default: every
            result is accepted.
        options: Options of the engine by name, such as `max_result_bytes`, `check_media` or
            `max_rounds`. Default: none.
        models: The module whose models callers and callbacks get. Default: `mcpbolt.types`.
        experimental_task_handlers: Answers the server's requests about tasks of 2025-11-25, which the
            protocol no longer has. Default: they are refused.
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
        experimental_task_handlers: ExperimentalTaskHandlers | None = None,
        validate_result: ValidateResult | None = None,
        options: dict[str, Any] | None = None,
        models: Any = None,
    ) -> None:
        if models is None:
            from .. import types as models

        self._models: Any = models
        super().__init__(
            read_stream,
            write_stream,
            models.ServerRequest,
            models.ServerNotification,
            read_timeout_seconds=read_timeout_seconds,
        )
        self._use_task_handlers(experimental_task_handlers)
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

    @property
    def models(self) -> Any:
        """The module whose models callers and callbacks get."""
        return self._models

    # Life

    async def __aenter__(self) -> Self:
        self._hear()
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> bool | None:
        await self.close()
        if exc is not None and (raised := grouped(exc)) is not exc:
            raise raised
        return None

    def configure(self, protocol: str, options: dict[str, Any]) -> None:
        """Set how the connection begins, and further options of the engine. Only before the
        handshake.

        Args:
            protocol: `"auto"`, `"legacy"` or a revision, as for the `mode` of `Client`.
            options: Options of the engine by name.
        """
        self._protocol, self._extra_options = protocol, options

    def extend(self, extensions: Extensions) -> None:
        """Set the extensions that the session supports. Only before the handshake.

        Args:
            extensions: The extensions.
        """
        self._extensions = extensions

    async def close(self) -> None:
        """Close the connection. Requests that wait for an answer fail, and the server is notified.
        May be called more than once and from any task.
        """
        await self._exit_stack.aclose()
        self._heard()
        if self._connection is not None:
            await self._connection.close()

    @property
    def state(self) -> str:
        """State of the connection: `open`, `connecting`, `ready`, `reconnecting` or `closed`."""
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
        more = None
        name = name_to_repeat(request, method, params)
        if name is not None and self.is_modern:
            more = {"headers": [[NAME_HEADER, name]]}
            metadata = metadata or ClientMessageMetadata(headers={NAME_HEADER: name})
        result = await self._ask(
            method, text, limit, progress_callback, type(request).__name__, more, metadata
        )
        return cast("ResultT", cast("Any", result_type).model_validate(result))

    _own_send: ClassVar[Any] = staticmethod(OWN_SEND_REQUEST)

    async def _watch(self, uri: str, on: bool) -> bool:
        if not self.is_modern:
            return False
        if not face.current.watches_by_listening:
            method = "resources/subscribe" if on else "resources/unsubscribe"
            raise McpError(-32601, face.current.method_not_found.format(method=method), method)
        if on:
            await self._watching.watch(uri)
        else:
            self._watching.unwatch(uri)
        return True

    def saw_tools(self, tools: list[Tool]) -> None:
        """Keep the output schemas of tools, to check results against them.

        Args:
            tools: The tools.
        """
        for tool in tools:
            self._tool_output_schemas[tool.name] = tool.outputSchema

    async def _send_notification(self, notification: Any, related_request_id: RequestId | None) -> None:
        message = model_dict(notification)
        # The engine sends this notification itself.
        if message["method"] != "notifications/initialized":
            params = message.get("params")
            await self._opened().send(message["method"], None if params is None else dumps(params))

    async def send_response(self, request_id: RequestId, response: Any) -> None:
        """Answer a request of the server that no callback answered.

        Args:
            request_id: The id that the server gave the request.
            response: The result as a model, or `ErrorData`.
        """
        if isinstance(response, self._models.ErrorData):
            data = None if response.data is None else dumps(response.data)
            self._opened().respond(request_id, (None, "", response.code, response.message, data))
        else:
            self._opened().respond(request_id, (dumps(model_dict(response)),))

    _send_response = send_response

    async def _validate_tool_result(self, name: str, result: CallToolResult) -> None:
        await self._validate_structured_content(name, result.structuredContent)

    async def _validate_structured_content(self, name: str, value: Any) -> None:
        if name not in self._tool_output_schemas:
            await self._tool_output_schemas.learn(name, self.list_tools)
        if name not in self._tool_output_schemas:
            logger.warning("Tool %s not listed by server, cannot validate any structured content", name)
            return
        self._tool_output_schemas.check(name, value)


face.current.shape(ClientSession)
