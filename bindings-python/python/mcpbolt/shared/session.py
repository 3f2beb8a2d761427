"""Sessions on a pair of message streams: requests, answers, notifications.

Owns: which answer belongs to which request, and the loop that reads. The engine's own sessions
derive from these classes and carry their messages in another way; this is for programs that
make a session on streams of their own.
"""

from __future__ import annotations

import logging
from contextlib import AsyncExitStack
from datetime import timedelta
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, cast

from .._engine import face
from .._engine.json import model_dict
from ._responder import RequestResponder as RequestResponder
from .exceptions import McpError, SessionClosed

# Under another name: the module has no `__all__`, so `import *` would replace Python's own by it.
from .exceptions import TimeoutError as _TimeoutError

if TYPE_CHECKING:
    from typing_extensions import Self

    from ..types import RequestId
    from .message import MessageMetadata
    from .response_router import ResponseRouter

logger: logging.Logger = logging.getLogger("mcp.shared.session")

SendRequestT = TypeVar("SendRequestT")
SendResultT = TypeVar("SendResultT")
SendNotificationT = TypeVar("SendNotificationT")
ReceiveRequestT = TypeVar("ReceiveRequestT")
ReceiveResultT = TypeVar("ReceiveResultT")
ReceiveNotificationT = TypeVar("ReceiveNotificationT")
AnyResultT = TypeVar("AnyResultT")


class ProgressFnT(Protocol):
    """The type of `progress_callback`."""

    async def __call__(self, progress: float, total: float | None, message: str | None) -> None:
        """Handle one progress report. `total` and `message` are `None` if the report has none."""
        ...


class BaseSession(
    Generic[SendRequestT, SendNotificationT, SendResultT, ReceiveRequestT, ReceiveNotificationT],
):
    """A session on a pair of streams. Subclasses handle requests and notifications as they
    arrive.

    Args:
        read_stream: The stream that messages from the peer are read from.
        write_stream: The stream that messages to the peer are written to.
        receive_request_type: The model of the peer's requests.
        receive_notification_type: The model of the peer's notifications.
        read_timeout_seconds: Longest wait for an answer; progress does not extend it. Default: no
            limit.
    """

    _task_group: Any = None

    def __init__(
        self,
        read_stream: Any,
        write_stream: Any,
        receive_request_type: type[ReceiveRequestT],
        receive_notification_type: type[ReceiveNotificationT],
        read_timeout_seconds: timedelta | None = None,
    ) -> None:
        self._read_stream = read_stream
        self._write_stream = write_stream
        self._receive_request_type = receive_request_type
        self._receive_notification_type = receive_notification_type
        self._session_read_timeout_seconds = read_timeout_seconds
        self._request_id = 0
        self._answers: dict[RequestId, Any] = {}
        self._in_flight: dict[RequestId, RequestResponder[Any, Any]] = {}
        self._progress_callbacks: dict[RequestId, ProgressFnT] = {}
        self._response_routers: tuple[ResponseRouter, ...] = ()
        self._exit_stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        from anyio import create_task_group

        self._task_group = create_task_group()
        await self._task_group.__aenter__()
        self._task_group.start_soon(self._receive_loop)
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> bool | None:
        await self._exit_stack.aclose()
        # Closing the session must not wait for the peer.
        self._task_group.cancel_scope.cancel()
        swallowed: bool | None = await self._task_group.__aexit__(exc_type, exc, traceback)
        return swallowed

    def add_response_router(self, router: ResponseRouter) -> None:
        """Have a router look at responses before the requests that wait for them. Routers are
        asked in the order in which they were added, until one takes the response.

        Args:
            router: The router.
        """
        if router not in self._response_routers:
            self._response_routers = (*self._response_routers, router)

    def _routed(self, request_id: RequestId, answer: Any) -> bool:
        """Whether a router has taken a result or an error."""
        from ..types import ErrorData

        if isinstance(answer, ErrorData):
            return any(router.route_error(request_id, answer) for router in self._response_routers)
        return any(router.route_response(request_id, answer) for router in self._response_routers)

    # Sending

    async def send_request(
        self,
        request: SendRequestT,
        result_type: type[ReceiveResultT],
        request_read_timeout_seconds: timedelta | None = None,
        metadata: MessageMetadata = None,
        progress_callback: ProgressFnT | None = None,
    ) -> ReceiveResultT:
        """Send a request and wait for the answer.

        If the wait times out or the task is cancelled, the peer is notified that the request is
        cancelled. All requests of a session go through this method, so a subclass that overrides it
        sees them all.

        Args:
            request: The request.
            result_type: The model of the result.
            request_read_timeout_seconds: Longest wait for the answer, in seconds or as `timedelta`.
                Default: that of the session.
            metadata: Metadata for the transport, such as the request that the message belongs to.
                Default: none.
            progress_callback: Async function that is called with `progress`, `total` and `message`
                of each progress report. Default: no reports are asked for.

        Raises:
            McpError: The peer answered with an error, or no answer came: `TimeoutError`,
                `SessionClosed` or `ConnectError`, which are derived from it.
        """
        return await self._send_request(request, result_type, request_read_timeout_seconds, metadata, progress_callback)

    async def _send_request(
        self,
        request: Any,
        result_type: type[AnyResultT],
        request_read_timeout_seconds: timedelta | None,
        metadata: MessageMetadata,
        progress_callback: ProgressFnT | None,
    ) -> AnyResultT:
        from anyio import create_memory_object_stream, fail_after

        number = self._request_id
        self._request_id += 1
        message: dict[str, Any] = {"jsonrpc": "2.0", "id": number, **model_dict(request)}
        if progress_callback is not None:
            meta = message.setdefault("params", {}).setdefault("_meta", {})
            meta["progressToken"] = number
            self._progress_callbacks[number] = progress_callback
        sender, receiver = create_memory_object_stream[Any](1)
        self._answers[number] = sender
        limit = request_read_timeout_seconds or self._session_read_timeout_seconds
        seconds = limit.total_seconds() if limit else None
        try:
            await self._write(message, metadata)
            with fail_after(seconds):
                answer = await receiver.receive()
        except TimeoutError:
            name = type(request).__name__
            words = f"Timed out while waiting for response to {name}. Waited {seconds} seconds."
            raise (McpError(408, words) if face.current.plain_errors else _TimeoutError(words)) from None
        finally:
            self._answers.pop(number, None)
            self._progress_callbacks.pop(number, None)
            sender.close()
            receiver.close()
        if isinstance(answer, BaseException):
            raise answer
        return cast("AnyResultT", cast("Any", result_type).model_validate(answer))

    async def send_notification(
        self, notification: SendNotificationT, related_request_id: RequestId | None = None
    ) -> None:
        """Send a notification. All notifications of a session go through this method, so a subclass that
        overrides it sees them all.

        Args:
            notification: The notification.
            related_request_id: The id of the client's request on whose stream to send the message.
                Default: none.
        """
        await self._send_notification(notification, related_request_id)

    async def _send_notification(self, notification: Any, related_request_id: RequestId | None) -> None:
        from .message import ServerMessageMetadata

        metadata = ServerMessageMetadata(related_request_id=related_request_id) if related_request_id else None
        message = model_dict(notification)
        if face.current.refuses_messages and "jsonrpc" in message:
            raise TypeError("a whole message is no notification: pass it without 'jsonrpc'")
        await self._write({"jsonrpc": "2.0", **message}, metadata)

    async def send_response(self, request_id: RequestId, response: Any) -> None:
        """Answer a request with a result or with `ErrorData`.

        Args:
            request_id: The id of the request.
            response: The result, or `ErrorData`.
        """
        from ..types import ErrorData

        member = "error" if isinstance(response, ErrorData) else "result"
        await self._write({"jsonrpc": "2.0", "id": request_id, member: model_dict(response)}, None)

    _send_response = send_response

    async def send_progress_notification(
        self, progress_token: str | int, progress: float, total: float | None = None, message: str | None = None
    ) -> None:
        """Report progress on a request that the peer sent.

        Args:
            progress_token: The token from the `_meta` of that request.
            progress: How much is done, in any unit; must increase with each report.
            total: The value of `progress` when the work is complete. Default: not known.
            message: A text that describes the current step, for the user. Default: none.
        """

    async def _write(self, message: dict[str, Any], metadata: MessageMetadata) -> None:
        from ..types import JSONRPCMessage
        from .message import SessionMessage

        await self._write_stream.send(SessionMessage(JSONRPCMessage.model_validate(message), metadata))

    # Receiving

    async def _receive_loop(self) -> None:
        from anyio import ClosedResourceError, EndOfStream

        try:
            async with self._read_stream, self._write_stream:
                while True:
                    try:
                        message = await self._read_stream.receive()
                    except (EndOfStream, ClosedResourceError):
                        return
                    await self._take(message)
        finally:
            for stream in list(self._answers.values()):
                stream.send_nowait(SessionClosed("Connection closed"))
            self._answers.clear()

    async def _take(self, message: Any) -> None:
        from ..types import JSONRPCNotification, JSONRPCRequest

        if isinstance(message, Exception):
            await self._handle_incoming(message)
            return
        inner = getattr(message, "message", message)
        root = getattr(inner, "root", inner)
        if isinstance(root, JSONRPCRequest):
            await self._take_request(root, getattr(message, "metadata", None))
        elif isinstance(root, JSONRPCNotification):
            await self._take_notification(root)
        else:
            await self._take_answer(root)

    async def _take_request(self, root: Any, metadata: MessageMetadata) -> None:
        from ..types import ErrorData

        try:
            request: Any = cast("Any", self._receive_request_type).model_validate(model_dict(root))
            params = request.root.params
            responder = RequestResponder[Any, Any](
                root.id,
                params.meta if params else None,
                request,
                self,
                lambda done: self._in_flight.pop(done.request_id, None),
                metadata,
            )
            self._in_flight[root.id] = responder
            await self._received_request(responder)
            if responder.in_flight:
                await self._handle_incoming(responder)
        except Exception as error:
            logger.warning("Failed to validate request: %s", error)
            await self.send_response(
                root.id, ErrorData(code=-32602, message="Invalid request parameters", data="")
            )

    async def _take_notification(self, root: Any) -> None:
        try:
            notification: Any = cast("Any", self._receive_notification_type).model_validate(model_dict(root))
        except ValueError as error:
            logger.warning("Failed to validate notification: %s", error)
            return
        if root.method == "notifications/cancelled":
            responder = self._in_flight.get(notification.root.params.requestId)
            if responder is not None:
                await responder.cancel()
            return
        if root.method == "notifications/progress":
            await self._take_progress(notification.root.params)
        await self._received_notification(notification)
        await self._handle_incoming(notification)

    async def _take_progress(self, params: Any) -> None:
        callback = self._progress_callbacks.get(params.progressToken)
        if callback is not None:
            try:
                await callback(params.progress, params.total, params.message)
            except Exception as error:
                logger.error("Progress callback raised an exception: %s", error)

    async def _take_answer(self, root: Any) -> None:
        from ..types import JSONRPCError

        number = root.id
        answer = root.error if isinstance(root, JSONRPCError) else root.result
        if self._response_routers and self._routed(number, answer):
            return
        if isinstance(number, str) and number.isdigit():
            number = int(number)
        stream = self._answers.pop(number, None)
        if stream is None:
            await self._handle_incoming(RuntimeError(f"Received response with an unknown request ID: {root}"))
        elif isinstance(root, JSONRPCError):
            stream.send_nowait(McpError(root.error))
        else:
            stream.send_nowait(root.result)

    # For subclasses

    async def _received_request(self, responder: RequestResponder[ReceiveRequestT, SendResultT]) -> None:
        """Handle a request before anything else. If it is answered here, it goes no further."""

    async def _received_notification(self, notification: ReceiveNotificationT) -> None:
        """Handle a notification before anything else."""

    async def _handle_incoming(self, req: Any) -> None:
        """Handle what nothing else handled: a responder, a notification, or an exception."""


# Kept to detect whether a program has replaced the method.
OWN_SEND_REQUEST: Any = cast("Any", BaseSession).send_request
