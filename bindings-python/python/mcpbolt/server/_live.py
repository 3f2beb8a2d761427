"""The context of a request that is being answered, read from the engine on demand."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from ..shared.context import RequestContext
from ._requests import request_of

if TYPE_CHECKING:
    from .._engine.host import ServerHost
    from .._engine.items import RequestItem
    from ..shared.message import CloseSSEStreamCallback
    from ..types import RequestId, RequestParams


class LiveContext(RequestContext[Any, Any, Any]):
    """A `RequestContext` whose members are read when they are first used."""

    def __init__(self, host: ServerHost, item: RequestItem) -> None:
        self.host = host
        self.item = item
        self.call: int = item.call
        self.lifespan_context: Any = host.lifespan_context
        # What the state that came with the request is bound to, for its boundary.
        self.state_binding: Any = None
        # What the handler raised, where something stands around it that may raise too.
        self.raised: BaseException | None = None

    @cached_property
    def about(self) -> dict[str, Any]:
        """The engine's description of the call."""
        return self.host.driver.inbox.describe(self.call) or {}

    @cached_property
    def raw_meta(self) -> dict[str, Any] | None:
        """The `_meta` of the request as JSON values."""
        params = self.item.params
        meta = params.get("_meta") if isinstance(params, dict) else None  # pyright: ignore
        return cast("dict[str, Any]", meta) if isinstance(meta, dict) else None

    async def _close_stream(self) -> None:
        self.host.driver.inbox.close_stream(self.call)

    async def _close_standalone_stream(self) -> None:
        self.host.driver.inbox.close_standalone_stream(self.item.connection)

    if not TYPE_CHECKING:

        @cached_property
        def request_id(self) -> RequestId:
            """The id that the client gave the request."""
            return self.about.get("id", self.call)

        @cached_property
        def meta(self) -> RequestParams.Meta | None:
            """The `_meta` of the request, as a model."""
            if self.raw_meta is None:
                return None
            from ..types import RequestParams

            return RequestParams.Meta.model_validate(self.raw_meta)

        @cached_property
        def session(self) -> Any:
            """The session with the client."""
            return self.host.session(self.item.connection)

        @cached_property
        def request(self) -> Any:
            """What the transport knows of the request: over HTTP a Starlette `Request`."""
            return request_of(self.about)

        @cached_property
        def close_sse_stream(self) -> CloseSSEStreamCallback | None:
            """Ends the request's event stream; `None` if it has none."""
            return self._close_stream if self.about.get("transport") == "http" else None

        @cached_property
        def close_standalone_sse_stream(self) -> CloseSSEStreamCallback | None:
            """Ends the client's event stream that belongs to no request; `None` if it has none."""
            return self._close_standalone_stream if self.about.get("transport") == "http" else None

        @cached_property
        def experimental(self) -> Any:
            """What a handler can do about tasks of 2025-11-25; see `Experimental`."""
            from .experimental.request_context import experimental_of

            params = self.item.params
            # In later revisions the member means nothing.
            asks = isinstance(params, dict) and self.about.get("era") == "legacy"
            return experimental_of(
                params.get("task") if asks else None, self.session, self.host.server.task_support
            )
