"""Two ends of a channel within one process, without messages.

Owns: calling the other end's handlers. Must not know: MCP.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any

import anyio
import anyio.abc

from ...shared.exceptions import MCPError, NoBackChannelError
from .dispatcher import CallOptions, OnNotify, OnNotifyIntercept, OnRequest, ProgressFnT, coerce_request_id
from .dispatcher import run_notify_intercept as intercepted
from .jsonrpc_dispatcher import handler_exception_to_error_data
from .transport_context import TransportContext

if TYPE_CHECKING:
    from ..types import RequestId

__all__ = ["DirectDispatcher", "create_direct_dispatcher_pair"]

logger: logging.Logger = logging.getLogger(__name__)

DIRECT_TRANSPORT_KIND = "direct"
"""The `kind` of the transport context of such a channel."""
CLOSED, TIMEOUT, INTERNAL = -32000, -32001, -32603


@dataclass
class _Context:
    """What a handler is given of a call; see `DispatchContext`."""

    transport: TransportContext
    origin: DirectDispatcher
    request_id: RequestId | None = None
    message_metadata: Any = None
    on_progress: ProgressFnT | None = None
    cancel_requested: anyio.Event = field(default_factory=anyio.Event)

    @property
    def can_send_request(self) -> bool:
        return self.transport.can_send_request

    async def send_raw_request(
        self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None
    ) -> dict[str, Any]:
        if not self.can_send_request:
            raise NoBackChannelError(method)
        return await self.origin.handle_request(method, params, opts)

    async def notify(self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None) -> None:
        await self.origin.handle_notification(method, params)

    async def progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        if self.on_progress is not None:
            await self.on_progress(progress, total, message)


class DirectDispatcher:
    """One end of a channel within this process; `create_direct_dispatcher_pair` makes both.

    Args:
        transport_ctx: What handlers on this end see as `ctx.transport`.
        raise_handler_exceptions: Whether an exception of a handler that is not an `MCPError` is
            raised by `send_raw_request` as it is. Default: no, the caller gets an internal error.
    """

    def __init__(self, transport_ctx: TransportContext, *, raise_handler_exceptions: bool = False) -> None:
        self._raises = raise_handler_exceptions
        self._transport = transport_ctx
        self._peer: DirectDispatcher | None = None
        self._on_request: OnRequest | None = None
        self._on_notify: OnNotify | None = None
        self._intercept: OnNotifyIntercept | None = None
        self._ready, self._over = anyio.Event(), anyio.Event()
        self._numbers = count(1)
        self._open: set[Any] = set()

    def connect_to(self, peer: DirectDispatcher) -> None:
        """Set the other end of the channel.

        Args:
            peer: The other end.
        """
        self._peer = peer

    async def send_raw_request(
        self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None
    ) -> dict[str, Any]:
        """Have the other end handle a request.

        Args:
            method: The method.
            params: The params; `None` for none.
            opts: Time-out, progress and other options of the call. Default: none.

        Raises:
            RuntimeError: No other end was set.
            ValueError: A request with the same id is open.
            MCPError: The request was refused or timed out, its handler failed, or the channel has ended.
        """
        if self._over.is_set():
            raise MCPError(CLOSED, "Connection closed")
        peer = self._other()
        options: CallOptions = dict(opts or {})  # type: ignore[assignment]
        number = self._number(options.get("request_id"))
        options["request_id"] = number
        self._open.add(coerce_request_id(number))
        seconds = options.get("timeout")
        try:
            with anyio.fail_after(seconds):
                return await peer.handle_request(method, params, options)
        except TimeoutError:
            raise MCPError(TIMEOUT, f"Request {method!r} timed out") from None
        finally:
            self._open.discard(coerce_request_id(number))

    def _number(self, wanted: Any) -> Any:
        if wanted is not None:
            if coerce_request_id(wanted) in self._open:
                raise ValueError(f"request id {wanted!r} is in flight")
            return wanted
        return next(number for number in self._numbers if number not in self._open)

    async def notify(self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None) -> None:
        """Have the other end handle a notification; after the end it is dropped.

        Args:
            method: The method.
            params: The params; `None` for none.
            opts: Time-out, progress and other options of the call. Default: none.
        """
        if not self._over.is_set():
            await self._other().handle_notification(method, params)

    def _other(self) -> DirectDispatcher:
        if self._peer is None:
            raise RuntimeError("DirectDispatcher has no peer; use create_direct_dispatcher_pair()")
        return self._peer

    async def run(
        self,
        on_request: OnRequest,
        on_notify: OnNotify,
        on_notify_intercept: OnNotifyIntercept | None = None,
        *,
        task_status: anyio.abc.TaskStatus[None] = anyio.TASK_STATUS_IGNORED,
    ) -> None:
        """Handle what the other end sends until `close`.

        Args:
            on_request: Called with each request; returns the result.
            on_notify: Called with each notification.
            on_notify_intercept: Called with each notification first; returns whether it took it.
                Default: nothing is called.
            task_status: Its `started()` is called when this end is ready.
        """
        self._on_request, self._on_notify, self._intercept = on_request, on_notify, on_notify_intercept
        self._ready.set()
        task_status.started()
        try:
            await self._over.wait()
        finally:
            self.close()

    def close(self) -> None:
        """End the channel on this end."""
        self._over.set()
        self._ready.set()

    async def handle_request(
        self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None
    ) -> dict[str, Any]:
        """Handle a request of the other end; waits until this end runs.

        Args:
            method: The method.
            params: The params; `None` for none.
            opts: Time-out, progress and other options of the call; `None` for none.
        """
        await self._ready.wait()
        if self._over.is_set() or self._on_request is None:
            raise MCPError(CLOSED, "Connection closed")
        options: CallOptions = opts or {}
        context = _Context(self._transport, self._other(), options.get("request_id"), on_progress=options.get("on_progress"))
        try:
            return await self._on_request(context, method, params)
        except MCPError:
            raise
        except Exception as error:
            meant = handler_exception_to_error_data(error)
            if meant is not None:
                raise MCPError.from_error_data(meant) from error  # type: ignore[arg-type]
            if self._raises:
                raise
            logger.exception("request handler for %r raised", method)
            raise MCPError(INTERNAL, "Internal server error") from error

    async def handle_notification(self, method: str, params: Mapping[str, Any] | None) -> None:
        """Handle a notification of the other end; waits until this end runs.

        Args:
            method: The method.
            params: The params; `None` for none.
        """
        await self._ready.wait()
        if self._over.is_set() or self._on_notify is None or intercepted(self._intercept, method, params):
            return
        try:
            await self._on_notify(_Context(self._transport, self._other()), method, params)
        except Exception:
            logger.exception("notification handler for %r raised", method)


def create_direct_dispatcher_pair(
    *,
    can_send_request: bool = True,
    headers: Mapping[str, str] | None = None,
    raise_handler_exceptions: bool = False,
) -> tuple[DirectDispatcher, DirectDispatcher]:
    """Make the two ends of a channel within this process.

    Args:
        can_send_request: Whether a handler may send requests to the other end. Default: yes.
        headers: What handlers see as the headers of each message. Default: none.
        raise_handler_exceptions: Whether an exception of a handler that is not an `MCPError` is
            raised by `send_raw_request` as it is. Default: no, the caller gets an internal error.
    """
    known = TransportContext(kind=DIRECT_TRANSPORT_KIND, can_send_request=can_send_request, headers=headers)
    here, there = (DirectDispatcher(known, raise_handler_exceptions=raise_handler_exceptions) for _ in range(2))
    here.connect_to(there)
    there.connect_to(here)
    return here, there
