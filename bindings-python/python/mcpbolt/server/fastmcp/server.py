"""The high-level server of 1.x.

Owns: what only 1.x decides: the arguments of the constructor, contexts, and what exceptions
become. Must not know: how it is served; `_serving` does.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar, cast

from ..._common.checks import refuse_bare
from ..._common.context import BaseContext
from ..._common.logging import configure_logging, get_logger
from ..._common.provider import Provider
from ..._common.server import HighLevelServer, LifespanResultT
from ..._common.settings import Settings
from ..._common.tools.tasks import keeping
from ..._engine.context import request_ctx
from ..._engine.questions import is_question
from ..._generics import Lenient
from ..._generics import TypeVar as DefaultTypeVar
from .._error_responses import UnknownPromptError, keeps_its_code
from .._exceptions import ResourceError
from ..lowlevel.helper_types import ReadResourceContents
from ..lowlevel.server import NotificationOptions
from ..lowlevel.server import Server as LowLevelServer
from ..lowlevel.server import lifespan as default_lifespan
from ._checks import is_template
from ._provider import PlainProvider
from ._serving import ServingBySettings
from .prompts import PromptManager
from .resources.resource_manager import ResourceManager
from .tools import Tool, ToolManager

if TYPE_CHECKING:
    from logging import Logger

    from pydantic import AnyUrl

    from ...shared.context import RequestContext
    from ...types import Annotations, ContentBlock, GetPromptResult, Icon
    from .._resource_security import ResourceSecurity
    from ..guarding import Audit, Authorize, ErrorDetail, SanitizeResult
    from ..session import ServerSession
    from ..streamable_http_manager import StreamableHTTPSessionManager

__all__ = ["Context", "FastMCP", "Settings"]

logger: Logger = get_logger("mcp.server.fastmcp.server")

ServerSessionT = DefaultTypeVar("ServerSessionT", bound="ServerSession", default=Any)
LifespanContextT = DefaultTypeVar("LifespanContextT", default=Any)
RequestT = DefaultTypeVar("RequestT", default=Any)
F = TypeVar("F", bound=Callable[..., Any])
LogLevel = Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]


class Context(BaseContext, Lenient, Generic[ServerSessionT, LifespanContextT, RequestT]):
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

    async def notify_tools_changed(self) -> None:
        """Notify all clients that want to know that the list of tools changed."""
        self.fastmcp.notify_tools_changed()

    async def notify_prompts_changed(self) -> None:
        """Notify all clients that want to know that the list of prompts changed."""
        self.fastmcp.notify_prompts_changed()

    async def notify_resources_changed(self) -> None:
        """Notify all clients that want to know that the list of resources changed."""
        self.fastmcp.notify_resources_changed()

    async def notify_resource_updated(self, uri: str | AnyUrl) -> None:
        """Notify all clients that subscribed to a resource that it changed."""
        self.fastmcp.notify_resource_updated(uri)

    async def report_progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """Report progress, if the client asked for it. Returns when the report is queued.

        Args:
            progress: How far the work is; must increase with each report.
            total: The value of `progress` at the end, if known.
            message: A text to show to the user.
        """
        meta = self.request_context.meta
        token = meta.progressToken if meta else None
        if token is None:
            return
        await self.session.send_progress_notification(
            progress_token=token,
            progress=progress,
            total=total,
            message=message,
            related_request_id=self.request_id,
        )

    async def read_resource(self, uri: str | AnyUrl) -> Iterable[ReadResourceContents]:
        """Read a resource of this server."""
        return await self.fastmcp.read_resource(uri)

    async def log(
        self,
        level: Literal["debug", "info", "warning", "error"],
        message: str,
        *,
        logger_name: str | None = None,
    ) -> None:
        """Send a log message to the client.

        .. deprecated:: 2026-07-28
           logging, SEP-2577; earliest removal 2027-07-28. Write to stderr on stdio; use
           OpenTelemetry elsewhere.
        """
        await self.session.send_log_message(
            level=level, data=message, logger=logger_name, related_request_id=self.request_id
        )


class FastMCP(ServingBySettings, HighLevelServer[LifespanResultT]):
    """A server made of functions.

    Options beyond those of the official class: `sync_in_thread=False` runs plain functions on
    the loop instead of threads; `docstring_params=True` takes descriptions of parameters from
    docstrings; `notification_options` says which changes clients are notified of;
    `legacy_sse=True` serves HTTP+SSE too; `fast_path=False` makes Python answer every method.
    `resource_security=DEFAULT_RESOURCE_SECURITY` makes templates refuse parameters that could
    lead out of a folder; as in 1.x, by default nothing is refused. `options`, `authorize`,
    `audit`, `sanitize_result` and `error_detail` are guard rails, see `mcpbolt.server.Server`;
    `stores="file:PATH"` keeps tasks in a file that outlasts the process.

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
        stores: str | None = None,
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
            options=keeping(options, stores),
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

    # Answers

    async def call_tool(self, name: str, arguments: dict[str, Any]) -> Sequence[ContentBlock] | dict[str, Any]:
        """Call a tool. Returns content blocks, alone or together with structured content."""
        context = self.get_context()
        result: Sequence[ContentBlock] | dict[str, Any] = await self._tool_manager.call_tool(
            name, arguments, context=context, convert_result=True
        )
        return result

    async def read_resource(self, uri: AnyUrl | str) -> Iterable[ReadResourceContents]:
        """Read the contents of a resource.

        Raises:
            ValueError: No resource has this URI.
            ResourceError: The resource cannot be read.
        """
        resource = await self._resource_manager.get_resource(uri, context=self.get_context())
        if not resource:
            raise ResourceError(f"Unknown resource: {uri}")
        try:
            content = await resource.read()
        except Exception as error:
            if keeps_its_code(error):
                raise
            logger.exception("Error reading resource %s", uri)
            raise ResourceError(str(error)) from error
        return [ReadResourceContents(content=content, mime_type=resource.mime_type, meta=resource.meta)]

    async def get_prompt(self, name: str, arguments: dict[str, Any] | None = None) -> GetPromptResult:
        """Get the messages of a prompt.

        Raises:
            ValueError: There is no prompt of this name, or it cannot be rendered.
        """
        from ...types import GetPromptResult

        try:
            prompt = self._prompt_manager.get_prompt(name)
            if not prompt:
                raise UnknownPromptError(f"Unknown prompt: {name}")
            messages: Any = await prompt.render(arguments, context=self.get_context())
            if is_question(messages):
                return cast("GetPromptResult", messages)
            rows = [message.model_dump(mode="json", by_alias=True) for message in messages]
            return GetPromptResult.model_validate({"description": prompt.description, "messages": rows})
        except Exception as error:
            if keeps_its_code(error):
                raise
            logger.exception("Error getting prompt %s", name)
            raise ValueError(str(error)) from error

    # Resources

    def resource(
        self,
        uri: str,
        *,
        name: str | None = None,
        title: str | None = None,
        description: str | None = None,
        mime_type: str | None = None,
        icons: list[Icon] | None = None,
        annotations: Annotations | None = None,
        meta: dict[str, Any] | None = None,
    ) -> Callable[[F], F]:
        """Decorator that registers a function as a resource.

        If the URI has parameters, as in `weather://{city}`, it becomes a template; the
        function must have the same parameters. It returns text, bytes, or any value that can
        be written as JSON.
        """
        refuse_bare(uri, "resource", "resource('uri')")
        more: dict[str, Any] = {
            "name": name,
            "title": title,
            "description": description,
            "mime_type": mime_type,
            "icons": icons,
            "annotations": annotations,
            "meta": meta,
        }

        def decorator(fn: F) -> F:
            self._register_resource(fn, uri, more, is_template(fn, uri))
            return fn

        return decorator


class StreamableHTTPASGIApp:
    """A session manager as an ASGI application."""

    def __init__(self, session_manager: StreamableHTTPSessionManager) -> None:
        self.session_manager = session_manager

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self.session_manager.handle_request(scope, receive, send)
