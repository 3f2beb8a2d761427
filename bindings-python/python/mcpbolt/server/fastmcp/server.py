"""The high-level server of 1.x.

Owns: what only 1.x decides: the arguments of the constructor, and contexts. Must not know: how it
is served, and what it answers; `_serving` and `_answering` do.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal

from ..._common.logging import configure_logging, get_logger
from ..._common.provider import Provider
from ..._common.server import LifespanResultT
from ..._common.settings import Settings
from ..._engine.context import request_ctx
from ..._generics import Lenient
from ..._generics import TypeVar as DefaultTypeVar
from ..lowlevel.helper_types import ReadResourceContents
from ..lowlevel.server import NotificationOptions
from ..lowlevel.server import Server as LowLevelServer
from ..lowlevel.server import lifespan as default_lifespan
from ._answering import Answering
from ._provider import PlainProvider
from ._registering import Registering
from ._reporting import Reporting
from ._serving import ServingBySettings
from .prompts import PromptManager
from .resources.resource_manager import ResourceManager
from .tools import Tool, ToolManager

if TYPE_CHECKING:
    from logging import Logger

    from pydantic import AnyUrl

    from ...shared.context import RequestContext
    from ...types import Icon
    from .._resource_security import ResourceSecurity
    from ..guarding import Audit, Authorize, ErrorDetail, SanitizeResult
    from ..session import ServerSession
    from ..streamable_http_manager import StreamableHTTPSessionManager

__all__ = ["Context", "FastMCP", "Settings"]

logger: Logger = get_logger("mcp.server.fastmcp.server")

ServerSessionT = DefaultTypeVar("ServerSessionT", bound="ServerSession", default=Any)
LifespanContextT = DefaultTypeVar("LifespanContextT", default=Any)
RequestT = DefaultTypeVar("RequestT", default=Any)
LogLevel = Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]


class Context(Reporting, Lenient, Generic[ServerSessionT, LifespanContextT, RequestT]):
    """The request that a function answers.

    A function gets one by annotating a parameter of any name with `Context`.
    """

    def __init__(
        self,
        *,
        request_context: RequestContext[Any, Any, Any] | None = None,
        fastmcp: FastMCP[Any] | None = None,
        **_: Any,
    ) -> None:
        super().__init__(request_context, fastmcp)

    @property
    def _fastmcp(self) -> FastMCP[Any] | None:
        # The name that the official package has for it.
        owner: FastMCP[Any] | None = self._owner
        return owner

    @property
    def fastmcp(self) -> FastMCP[Any]:
        """The server that answers the request.

        Raises:
            ValueError: No request is being answered.
        """
        server: FastMCP[Any] = self._server
        return server

    @property
    def request_context(self) -> RequestContext[ServerSessionT, LifespanContextT, RequestT]:
        """The request's context in the low-level server.

        Raises:
            ValueError: No request is being answered.
        """
        context: RequestContext[ServerSessionT, LifespanContextT, RequestT] = super().request_context
        return context

    async def read_resource(self, uri: str | AnyUrl) -> Iterable[ReadResourceContents]:
        """Read a resource of this server."""
        return await self.fastmcp.read_resource(uri)


class FastMCP(ServingBySettings, Answering[LifespanResultT], Registering[LifespanResultT]):
    """A server made of functions.

    Options beyond those of the official class: `sync_in_thread=False` runs plain functions on
    the loop instead of threads; `docstring_params=True` takes descriptions of parameters from
    docstrings; `notification_options` says which changes clients are notified of;
    `legacy_sse=True` serves HTTP+SSE too; `fast_path=False` makes Python answer every method.
    `resource_security=DEFAULT_RESOURCE_SECURITY` makes templates refuse parameters that could
    lead out of a folder; as in 1.x, by default nothing is refused. `options`, `authorize`,
    `audit`, `sanitize_result` and `error_detail` are guard rails, see `mcpbolt.server.Server`.

    `settings.trusted_proxies` lists addresses and networks of proxies whose `Forwarded` or
    `X-Forwarded-For` header is trusted. `settings.stream_after` is the number of seconds after
    which an answer without a result becomes an event stream.
    """

    _provider_type: ClassVar[type[Provider]] = PlainProvider

    def __init__(
        self,
        name: str | None = None,
        instructions: str | None = None,
        website_url: str | None = None,
        icons: list[Icon] | None = None,
        auth_server_provider: Any = None,
        token_verifier: Any = None,
        event_store: Any = None,
        retry_interval: int | None = None,
        *,
        tools: list[Tool] | None = None,
        debug: bool = False,
        log_level: LogLevel | None = None,
        host: str = "127.0.0.1",
        port: int = 8000,
        mount_path: str = "/",
        sse_path: str = "/sse",
        message_path: str = "/messages/",
        streamable_http_path: str = "/mcp",
        json_response: bool = False,
        stateless_http: bool = False,
        max_request_body_size: int = 4 * 1024 * 1024,
        session_idle_timeout: float | None = 1800.0,
        max_sessions: int | None = 10_000,
        warn_on_duplicate_resources: bool = True,
        warn_on_duplicate_tools: bool = True,
        warn_on_duplicate_prompts: bool = True,
        dependencies: Collection[str] = (),
        lifespan: Callable[[FastMCP[Any]], AbstractAsyncContextManager[LifespanResultT]] | None = None,
        auth: Any = None,
        transport_security: Any = None,
        sync_in_thread: bool = True,
        docstring_params: bool = False,
        notification_options: NotificationOptions | None = None,
        legacy_sse: bool = False,
        resource_security: ResourceSecurity | None = None,
        fast_path: bool = True,
        options: dict[str, Any] | None = None,
        authorize: Authorize | None = None,
        audit: Audit | None = None,
        sanitize_result: SanitizeResult | None = None,
        error_detail: ErrorDetail | None = None,
    ) -> None:
        settings = Settings(
            debug=debug,
            log_level=log_level or "INFO",
            host=host,
            port=port,
            mount_path=mount_path,
            sse_path=sse_path,
            message_path=message_path,
            streamable_http_path=streamable_http_path,
            json_response=json_response,
            stateless_http=stateless_http,
            max_request_body_size=max_request_body_size,
            session_idle_timeout=session_idle_timeout,
            max_sessions=max_sessions,
            warn_on_duplicate_resources=warn_on_duplicate_resources,
            warn_on_duplicate_tools=warn_on_duplicate_tools,
            warn_on_duplicate_prompts=warn_on_duplicate_prompts,
            dependencies=list(dependencies),
            lifespan=lifespan,
            auth=auth,
            transport_security=transport_security,
            legacy_sse=legacy_sse,
        )
        server: LowLevelServer[Any, Any] = LowLevelServer(
            name=name or "FastMCP",
            instructions=instructions,
            website_url=website_url,
            icons=icons,
            lifespan=self._lifespan if lifespan else default_lifespan,
            fast_path=fast_path,
            options=options,
            notification_options=notification_options,
            authorize=authorize,
            audit=audit,
            sanitize_result=sanitize_result,
            error_detail=error_detail,
        )
        managers = (
            ToolManager(warn_on_duplicate_tools, tools=tools, docstring_params=docstring_params),
            ResourceManager(warn_on_duplicate_resources, resource_security),
            PromptManager(warn_on_duplicate_prompts),
        )
        super().__init__(
            settings,
            server,
            managers,
            FastMCP,
            sync_in_thread=sync_in_thread,
            auth_server_provider=auth_server_provider,
            token_verifier=token_verifier,
        )
        self._event_store = event_store
        self._retry_interval = retry_interval
        if log_level is not None:
            configure_logging(log_level)

    def _new_context(self) -> Context[Any, LifespanResultT, Any]:
        return Context(request_context=request_ctx.get(None), fastmcp=self)

    def get_context(self) -> Context[Any, LifespanResultT, Any]:
        """The context of the request being answered; outside of one it has no request data."""
        try:
            request_context: Any = self._mcp_server.request_context
        except LookupError:
            request_context = None
        return Context(request_context=request_context, fastmcp=self)


class StreamableHTTPASGIApp:
    """A session manager as an ASGI application."""

    def __init__(self, session_manager: StreamableHTTPSessionManager) -> None:
        self.session_manager = session_manager

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self.session_manager.handle_request(scope, receive, send)
