"""A request of the peer while it is answered.

Owns: that it is answered once, or cancelled. Must not know: sessions, beyond that they answer.
"""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from .._engine import face
from .._naming import found_in

if TYPE_CHECKING:
    from ..types import RequestId, RequestParams
    from .message import MessageMetadata

SendResultT = TypeVar("SendResultT")
ReceiveRequestT = TypeVar("ReceiveRequestT")


class Answers(Protocol):
    """A session that answers requests."""

    async def send_response(self, request_id: RequestId, response: Any) -> None:
        """Answer a request.

        Args:
            request_id: The id of the request.
            response: The result, or `ErrorData`.
        """
        ...


@found_in("shared.session")
class RequestResponder(Generic[ReceiveRequestT, SendResultT]):
    """A request that waits for its answer. Use it as a context manager while answering.

    Args:
        request_id: The id that the peer gave the request.
        request_meta: The request's `_meta`; `None` without one.
        request: The request.
        session: The session that it came from.
        on_complete: Called with this object when the request was answered.
        message_metadata: What the transport attached to the request. Default: nothing.
    """

    def __init__(
        self,
        request_id: RequestId,
        request_meta: RequestParams.Meta | None,
        request: ReceiveRequestT,
        session: Answers,
        on_complete: Callable[[RequestResponder[ReceiveRequestT, SendResultT]], Any],
        message_metadata: MessageMetadata = None,
    ) -> None:
        self.request_id = request_id
        self.request_meta = request_meta
        self.request = request
        self.message_metadata = message_metadata
        # What it is called among the questions of an answer; two calls may have the same.
        self.key: str | None = None
        self._session = session
        self._on_complete = on_complete
        self._completed = False
        self._cancelled = False
        self._entered = False
        self._scope: Any = None

    def __enter__(self) -> RequestResponder[ReceiveRequestT, SendResultT]:
        from anyio import CancelScope

        self._entered = True
        self._scope = CancelScope()
        self._scope.__enter__()
        return self

    def __exit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> bool | None:
        self._entered = False
        if self._completed:
            self._on_complete(self)
        swallowed: bool | None = self._scope.__exit__(exc_type, exc, traceback)
        return swallowed

    async def respond(self, response: Any) -> None:
        """Answer the request, unless it was cancelled.

        Args:
            response: The result, or `ErrorData`.

        Raises:
            RuntimeError: This object is not entered as a context manager.
        """
        if not self._entered:
            raise RuntimeError("RequestResponder must be used as a context manager")
        assert not self._completed, "Request already responded to"
        if not self.cancelled:
            self._completed = True
            await self._session.send_response(self.request_id, response)

    async def cancel(self) -> None:
        """Cancel the task that is answering. A cancelled request gets no answer."""
        self._cancelled = True
        self._completed = True
        if self._scope is not None:
            self._scope.cancel()
        if face.current.answers_cancelled:
            from ..types import ErrorData

            await self._session.send_response(self.request_id, ErrorData(code=0, message="Request cancelled"))

    @property
    def in_flight(self) -> bool:
        """Whether the request still waits for its answer."""
        return not self._completed and not self.cancelled

    @property
    def cancelled(self) -> bool:
        """Whether the request was cancelled."""
        return self._cancelled
