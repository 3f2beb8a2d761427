"""Calls between two peers without the words of MCP, where programs for 2.x look for them.

Owns: the types, and small functions on ids. Must not know: how messages are carried; a session's
are the engine's affair.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypedDict, TypeVar, runtime_checkable

import anyio
import anyio.abc

from .transport_context import TransportContext

if TYPE_CHECKING:
    from ...shared.message import MessageMetadata
    from ..types import RequestId

__all__ = [
    "CallOptions",
    "DispatchContext",
    "Dispatcher",
    "OnNotify",
    "OnNotifyIntercept",
    "OnRequest",
    "Outbound",
    "ProgressFnT",
    "as_request_id",
    "coerce_request_id",
    "run_notify_intercept",
]

logger: logging.Logger = logging.getLogger(__name__)

TransportT_co = TypeVar("TransportT_co", bound=TransportContext, covariant=True)


class ProgressFnT(Protocol):
    """Called when progress of a request arrives."""

    async def __call__(self, progress: float, total: float | None, message: str | None) -> None: ...


class CallOptions(TypedDict, total=False):
    """Options of one request. Options that a peer does not know are ignored."""

    request_id: RequestId
    """The id of the request. Default: a number. Ids that are not numbers never collide with those."""
    timeout: float
    """How long to wait for the answer, in seconds. Default: no limit."""
    cancel_on_abandon: bool
    """Whether to tell the other side when the wait ends early. Default: yes."""
    on_progress: ProgressFnT
    """Async function, called with each progress report: progress, total, message. Default: none."""
    resumption_token: str
    """The place at which to resume an interrupted request. Default: it is new."""
    on_resumption_token: Callable[[str], Awaitable[None]]
    """Async function, called with each new token for `resumption_token`. Default: none."""
    headers: dict[str, str]
    """HTTP headers for the request. Default: none."""


@runtime_checkable
class Outbound(Protocol):
    """The sending side of a connection: requests and notifications."""

    async def send_raw_request(
        self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None
    ) -> dict[str, Any]:
        """Send a request and return its result as it came.

        Args:
            method: The method.
            params: The params; `None` for none.
            opts: Time-out, progress and other options of the call. Default: none.

        Raises:
            MCPError: The answer is an error, or the handler failed.
        """
        ...

    async def notify(self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None) -> None:
        """Send a notification.

        Args:
            method: The method.
            params: The params; `None` for none.
            opts: Time-out, progress and other options of the call. Default: none.
        """
        ...


class DispatchContext(Outbound, Protocol[TransportT_co]):
    """The first argument of the handler of a request or notification."""

    @property
    def transport(self) -> TransportT_co:
        """What the transport knows about the message, such as its headers."""
        ...

    @property
    def can_send_request(self) -> bool:
        """Whether the other side can be asked while the message is handled."""
        ...

    @property
    def request_id(self) -> RequestId | None:
        """The id of the request; `None` for a notification."""
        ...

    @property
    def message_metadata(self) -> MessageMetadata:
        """What the transport attached to the message."""
        ...

    @property
    def cancel_requested(self) -> anyio.Event:
        """Set when the other side cancels the request."""
        ...

    async def progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """Report progress, if the other side wants to be told.

        Args:
            progress: How much is done, in any unit; must increase with each report.
            total: The value of `progress` when the work is complete; `None` if it is not known.
            message: A text that describes the current step, for the user. Default: none.
        """
        ...


OnRequest = Callable[[DispatchContext[TransportContext], str, "Mapping[str, Any] | None"], Awaitable[dict[str, Any]]]
"""Handles a request: `(context, method, params) -> result`."""

OnNotify = Callable[[DispatchContext[TransportContext], str, "Mapping[str, Any] | None"], Awaitable[None]]
"""Handles a notification: `(context, method, params)`."""

OnNotifyIntercept = Callable[[str, "Mapping[str, Any] | None"], bool]
"""Called with each notification first, in order: `(method, params)`. If it returns true, `OnNotify` is
not called."""


class Dispatcher(Outbound, Protocol[TransportT_co]):
    """One end of a channel for requests and notifications in both directions."""

    async def run(
        self,
        on_request: OnRequest,
        on_notify: OnNotify,
        on_notify_intercept: OnNotifyIntercept | None = None,
        *,
        task_status: anyio.abc.TaskStatus[None] = anyio.TASK_STATUS_IGNORED,
    ) -> None:
        """Handle requests and notifications until the channel ends.

        Args:
            on_request: Called with each request; returns the result.
            on_notify: Called with each notification.
            on_notify_intercept: Called with each notification first; returns whether it took it.
                Default: nothing is called.
            task_status: Its `started()` is called when messages are being read.
        """
        ...


def as_request_id(value: object) -> int | str | None:
    """The value if it can be the id of a request, text or an integer; otherwise `None`.

    Args:
        value: Any value.
    """
    return value if isinstance(value, (str, int)) and not isinstance(value, bool) else None


def coerce_request_id(request_id: Any) -> Any:
    """Convert an id that is a number in text to the number; other ids stay as they are.

    Args:
        request_id: The id.
    """
    try:
        return int(request_id) if isinstance(request_id, str) else request_id
    except ValueError:
        return request_id


def run_notify_intercept(intercept: OnNotifyIntercept | None, method: str, params: Mapping[str, Any] | None) -> bool:
    """Offer a notification to a function; return whether the function took it.

    An exception of the function is logged and means that it did not.

    Args:
        intercept: The function; `None` for none.
        method: The method.
        params: The params; `None` for none.
    """
    if intercept is None:
        return False
    try:
        return intercept(method, params)
    except Exception:
        logger.exception("notification intercept raised; passing %r through", method)
        return False
