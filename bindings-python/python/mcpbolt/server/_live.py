"""The context of a request that is being answered, read from the engine on demand."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from ..shared.context import RequestContext
from ._requests import request_of

if TYPE_CHECKING:
    from .._loop import Item
    from ..shared.message import CloseSSEStreamCallback
    from ..types import RequestId, RequestParams
    from ._host import ServerHost
    from .request_state import Binding
    from .session import ServerSession


class LiveContext(RequestContext[Any, Any, Any]):
    """A `RequestContext` whose members are found when they are asked for."""

    def __init__(self, host: ServerHost, item: Item) -> None:
        self.host = host
        self.item = item
        self.call: int = item[1]
        self.lifespan_context: Any = host.lifespan_context
        # What the state that came with the request was bound to.
        self.state_binding: Binding | None = None

    @cached_property
    def about(self) -> dict[str, Any]:
        """What the engine knows of the call."""
        return self.host.driver.inbox.describe(self.call) or {}

    @cached_property
    def raw_meta(self) -> dict[str, Any] | None:
        """`_meta` of the request, as JSON."""
        params = self.item[6]
        meta = params.get("_meta") if isinstance(params, dict) else None  # pyright: ignore
        return cast("dict[str, Any]", meta) if isinstance(meta, dict) else None

    async def _close_stream(self) -> None:
        self.host.driver.inbox.close_stream(self.call)

    if not TYPE_CHECKING:

        @cached_property
        def request_id(self) -> RequestId:
            """The id the client gave the request."""
            return self.about.get("id", self.call)

        @cached_property
        def meta(self) -> RequestParams.Meta | None:
            """Its `_meta`."""
            if self.raw_meta is None:
                return None
            from ..types import RequestParams

            return RequestParams.Meta.model_validate(self.raw_meta)

        @cached_property
        def session(self) -> ServerSession:
            """The client."""
            return self.host.session(self.item[2])

        @cached_property
        def request(self) -> Any:
            """What the transport has of the request."""
            return request_of(self.about)

        @cached_property
        def close_sse_stream(self) -> CloseSSEStreamCallback | None:
            """Ends the stream of the request, if it has one."""
            return self._close_stream if self.about.get("transport") == "http" else None

        @cached_property
        def experimental(self) -> Any:
            """Whether it wants to run as a task."""
            from ._as_task import as_task

            params = self.item[6]
            task = params.get("task") if isinstance(params, dict) else None
            if isinstance(task, dict):
                from ..types import TaskMetadata

                task = TaskMetadata.model_validate(task)
            return as_task(task, self.session.client_params)
