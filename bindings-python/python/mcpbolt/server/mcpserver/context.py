"""What a function of a server of the 2.x kind can do with the request it answers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Generic, cast

from ..._engine import face
from ..._generics import TypeVar
from ..context import ServerRequestContext, context_of
from ..fastmcp.context import Context as PlainContext

if TYPE_CHECKING:
    from pydantic import AnyUrl

    from ..lowlevel.helper_types import ReadResourceContents
    from .server import MCPServer

__all__ = ["Context"]

LifespanContextT = TypeVar("LifespanContextT", default=Any)
RequestT = TypeVar("RequestT", default=Any)


class Context(PlainContext[Any, LifespanContextT, RequestT], Generic[LifespanContextT, RequestT]):
    """The request that a function answers.

    A function gets one by annotating a parameter of any name with `Context`.
    """

    @property
    def mcp_server(self) -> MCPServer[Any]:
        """The server that answers the request.

        Raises:
            ValueError: No request is being answered.
        """
        return cast("MCPServer[Any]", self.fastmcp)

    @property
    def request_context(self) -> ServerRequestContext[LifespanContextT, RequestT]:  # type: ignore[override]
        """The request's context in the low-level server.

        Raises:
            ValueError: No request is being answered.
        """
        return context_of(cast("Any", super().request_context))

    async def report_progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """Report progress, if the client asked for it. Returns when the report is queued.

        Args:
            progress: How far the work is; must increase with each report.
            total: The value of `progress` at the end, if known.
            message: A text to show to the user.
        """
        await self.session.report_progress(progress, total, message)

    async def notify_tools_changed(self) -> None:
        """Notify all clients that want to know that the list of tools changed."""
        from ...shared.subscriptions import ToolsListChanged

        await self.mcp_server.bus.publish(ToolsListChanged())

    async def notify_prompts_changed(self) -> None:
        """Notify all clients that want to know that the list of prompts changed."""
        from ...shared.subscriptions import PromptsListChanged

        await self.mcp_server.bus.publish(PromptsListChanged())

    async def notify_resources_changed(self) -> None:
        """Notify all clients that want to know that the list of resources changed."""
        from ...shared.subscriptions import ResourcesListChanged

        await self.mcp_server.bus.publish(ResourcesListChanged())

    async def notify_resource_updated(self, uri: str | AnyUrl) -> None:
        """Notify all clients that subscribed to a resource that it changed."""
        from ...shared.subscriptions import ResourceUpdated

        await self.mcp_server.bus.publish(ResourceUpdated(str(uri)))

    async def read_resource(self, uri: str | AnyUrl) -> Iterable[ReadResourceContents]:
        """Read a resource of this server.

        Raises:
            ResourceError: The resource does not exist or cannot be read.
            RuntimeError: The resource has questions to the client, which cannot be asked here.
        """
        from ..._engine.questions import is_question

        found = await self.mcp_server.read_resource(uri, self)
        if is_question(found):
            raise RuntimeError("the resource returned questions: hand on what MCPServer.read_resource() returns")
        return cast("Iterable[ReadResourceContents]", found)

    async def log(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, level: Any, data: Any, *, logger_name: str | None = None
    ) -> None:
        """Send a log message to the client; the message may be any JSON value. Deprecated by
        the protocol (SEP-2577).
        """
        await self.session.send_log_message(
            level=level, data=data, logger=logger_name, related_request_id=self.request_id
        )


face.current.shape(Context)
