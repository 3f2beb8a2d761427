"""What the handler of a request is given on the lowest level, where programs for 2.x look for it.

Owns: passing on what it stands on. Must not know: who calls it; the engine gives handlers a
`ServerRequestContext`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Generic

import anyio

from ..._generics import TypeVar
from ...shared.context import RequestContext
from .dispatcher import CallOptions, DispatchContext
from .transport_context import TransportContext

if TYPE_CHECKING:
    from ..types import RequestParamsMeta

__all__ = ["BaseContext", "RequestContext"]

TransportT = TypeVar("TransportT", bound=TransportContext, default=TransportContext, covariant=True)


class BaseContext(Generic[TransportT]):
    """The context of one request, over a `DispatchContext`.

    Args:
        dctx: The context of the dispatcher, which does the work.
        meta: The `_meta` of the request. Default: none.
    """

    def __init__(self, dctx: DispatchContext[TransportT], meta: RequestParamsMeta | None = None) -> None:
        self._dctx = dctx
        self._meta = meta

    @property
    def transport(self) -> TransportT:
        """What the transport knows about the request, such as its headers."""
        return self._dctx.transport

    @property
    def cancel_requested(self) -> anyio.Event:
        """Set when the other side cancels the request."""
        return self._dctx.cancel_requested

    @property
    def can_send_request(self) -> bool:
        """Whether the other side can be asked while the request is answered."""
        return self._dctx.can_send_request

    @property
    def meta(self) -> RequestParamsMeta | None:
        """The `_meta` of the request; `None` without one."""
        return self._meta

    async def send_raw_request(
        self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None
    ) -> dict[str, Any]:
        """Send a request to the other side and return its result as it came.

        Args:
            method: The method.
            params: The params; `None` for none.
            opts: Time-out, progress and other options of the call. Default: none.
        """
        return await self._dctx.send_raw_request(method, params, opts)

    async def notify(self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None) -> None:
        """Send a notification to the other side.

        Args:
            method: The method.
            params: The params; `None` for none.
            opts: Time-out, progress and other options of the call. Default: none.
        """
        await self._dctx.notify(method, params, opts)

    async def report_progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """Report progress, if the other side wants to be told.

        Args:
            progress: How much is done, in any unit; must increase with each report.
            total: The value of `progress` when the work is complete. Default: not known.
            message: A text that describes the current step, for the user. Default: none.
        """
        await self._dctx.progress(progress, total, message)
