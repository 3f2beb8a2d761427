"""The high-level server of 1.x.

Owns: what only 1.x decides: the arguments of the constructor, and contexts. Must not know: how it
is served, and what it answers; `_serving` and `_answering` do.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal

from ..._common.logging import LogFormat, begin_logging, get_logger
from ..._common.provider import Provider
from ..._common.server import LifespanResultT
from ..._common.settings import Settings
from ..._common.tools.tasks import keeping
from ..._engine import face
from ..._engine.context import request_ctx
from ..._generics import Lenient
from ..._generics import TypeVar as DefaultTypeVar
from .._pages import WatchOptions, refuse_unknown
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
    from typing_extensions import Unpack

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
    """The request that a function answers: report progress, ask the user, read resources, and see
    who the client is.

    The server makes one for each request and passes it to a tool, prompt or resource template in
    the parameter that is annotated with `Context`, whatever its name. Clients do not see that
    parameter. Outside of a request, members that need one raise `ValueError`.

    Args:
        request_context: The request as the low-level server has it. Default: none, outside of a
            request.
        fastmcp: The server that answers it. Default: none.

    Example:
        ```python
        from mcpbolt import Context, FastMCP

        mcp = FastMCP("files")

        @mcp.tool()
        async def index(paths: list[str], ctx: Context) -> int:
            "Index files."
            for done, path in enumerate(paths, 1):
                await ctx.report_progress(done, len(paths), path)
            return len(paths)
        ```
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
        """Read a resource of this server.

        Args:
            uri: The URI of a resource, or one that matches a template.

        Example:
            ```python
            @mcp.resource("config://units")
            def units() -> str:
                return "metric"

            @mcp.tool()
            async def distance(ctx: Context) -> str:
                [found] = await ctx.read_resource("config://units")
                return "10 km" if found.content == "metric" else "6 miles"
            ```
        """
        return await self.fastmcp.read_resource(uri)


class FastMCP(ServingBySettings, Answering[LifespanResultT], Registering[LifespanResultT]):
    """A server made of functions, with the API of the official 1.x package.

    Functions become tools, resources and prompts with the decorators `tool`, `resource` and
    `prompt`; `run` serves them.

    Args:
        name: The server's name, as clients see it. Default: `FastMCP`.
        instructions: What a client's model should know to use this server well. Default: none.
        website_url: The URL of the server's website. Default: none.
        icons: Icons for the server. Default: none.
        auth_server_provider: Makes this server its own authorization server: an implementation of
            `OAuthAuthorizationServerProvider`. Needs `auth`; not together with `token_verifier`.
            Default: none.
        token_verifier: Verifies the bearer tokens of requests over HTTP: an object with
            `verify_token`. Needs `auth`; not together with `auth_server_provider`. Default: none.
        event_store: Stores the messages of streams over HTTP, so that clients that reconnect get
            what they missed. Default: the engine keeps up to 1000 messages and 1 MiB for each
            session, in memory.
        retry_interval: How many milliseconds clients should wait before they reconnect to a stream
            that ended. Default: 1000.
        tools: `Tool` objects to register from the start. Default: none.
        debug: Whether the Starlette applications of this server show tracebacks in their answers.
            Default: no.
        log_level: The lowest level of this process's own log messages. If given, they are written
            to stderr, unless the program has configured logging. Default: logging is left as it is.
        log_format: How they are written: `"text"`, or `"json"`, one object a line, with the trace's id
            inside a span of OpenTelemetry. If given without `log_level`, from `INFO` on. Default:
            `"text"`.
        host: The address to listen on over HTTP. With a local one, requests with other than local
            `Host` and `Origin` headers are refused. Default: `127.0.0.1`.
        port: The port to listen on over HTTP. Default: 8000.
        mount_path: The path under which this server is mounted in another application; only for
            HTTP+SSE. Default: `/`.
        sse_path: The path of the event stream of HTTP+SSE. Default: `/sse`.
        message_path: The path to which clients send messages over HTTP+SSE. Default: `/messages/`.
        streamable_http_path: The path of the endpoint over HTTP. Default: `/mcp`.
        json_response: Whether every answer over HTTP is one JSON object; progress and log messages
            of a request are then not sent. Default: no: an answer becomes an event stream when
            something precedes the result.
        stateless_http: Whether to serve HTTP without sessions, so that any process can answer any
            request. Default: no.
        max_request_body_size: The largest request body that is accepted over HTTP, in bytes; larger
            ones get status 413. Default: 4 MiB.
        session_idle_timeout: After how many seconds without traffic a session over HTTP ends;
            `None` for never. Default: 1800.
        max_sessions: How many sessions may be open over HTTP at a time; further ones get status
            503. `None` for no limit. Default: 10,000.
        warn_on_duplicate_resources: Whether registering a URI twice logs a warning; the first
            resource stays. Default: yes.
        warn_on_duplicate_tools: Whether registering the name of a tool twice logs a warning; the
            first tool stays. Default: yes.
        warn_on_duplicate_prompts: Whether registering the name of a prompt twice logs a warning;
            the first prompt stays. Default: yes.
        dependencies: Packages that this server needs. `mcpbolt dev` and `mcpbolt install` have uv
            add those that are not installed. Default: none.
        lifespan: Called with this server when it starts; returns an async context manager that is
            open while it runs. Functions find the value that it yields at
            `ctx.request_context.lifespan_context`. Default: none.
        auth: Requires a token for requests over HTTP: an `AuthSettings` together with
            `auth_server_provider` or `token_verifier`, or a `ResourceServer` alone. Default: no
            token is required.
        transport_security: Which `Host` and `Origin` headers are allowed over HTTP. Default: local
            ones if `host` is local, else all.
        sync_in_thread: Whether tools, prompts and resources that are plain functions run on worker
            threads, so that they do not block the event loop. Default: yes; under
            `mcpbolt.compat`, as in the official package, no.
        docstring_params: Whether the descriptions of a tool's parameters are taken from its
            docstring, in the style of Google, NumPy or Sphinx. Default: no.
        notification_options: Which changes of its lists the server notifies clients of. Default:
            none.
        legacy_sse: Whether clients of the older transport, HTTP+SSE, are served beside streamable
            HTTP. Default: no.
        docs: Whether people can look at the server and try it on a page of its own at `/docs`, over
            HTTP with the engine's own listener; its URL, which holds a key that is new at each
            start, is written to stderr once. Only on a local `host`, without `auth`, and not in other
            applications; else `UsageError` when the server is run. Default: no.
        resource_security: Which values the parameters of resource templates may have;
            `DEFAULT_RESOURCE_SECURITY` refuses those that could lead out of a folder. Default:
            nothing is refused.
        fast_path: Whether the engine itself answers requests that call no function of the program,
            such as lists and pings. `False` makes Python answer all of them, for debugging.
            Default: yes.
        options: Limits and other options of the engine by name, such as `{"max_in_flight": 100}`.
            Default: those of the table of limits in the reference.
        authorize: Decides what each client may do and see: a function of an `Asker` and an
            `Action`, see `mcpbolt.server.guarding`. Default: everything is allowed.
        audit: Where to write a record of each request: the path of a file of JSON lines, or a
            function that takes one record as a dictionary. Default: nowhere.
        sanitize_result: Called with the method, the name of the tool or other object, and the
            result; returns the result to send. Default: results are sent unchanged.
        error_detail: What clients see of an unexpected exception: its `"message"`, the default, or
            `"masked"`: only an id that is in the log too.
        stores: Where tasks are kept: `"file:PATH"` for a file that outlasts the process, or the URL
            of a Redis or Valkey server such as `"redis://host:6379"`, where sessions are kept
            as well, for all processes that name it. Default: in memory.
        **watching: Paths of pages for health, readiness and metrics over HTTP (`health`, `ready`,
            `metrics`), and `shutdown_delay`, which `auth` excludes, see `WatchOptions`. Default:
            none.

    Example:
        ```python
        from mcpbolt import FastMCP

        mcp = FastMCP("calculator")

        @mcp.tool()
        def add(a: int, b: int) -> int:
            "Add two numbers."
            return a + b

        if __name__ == "__main__":
            mcp.run()
        ```

    Two options can be set only as attributes of `settings`: `trusted_proxies`, addresses and
    networks of proxies whose `Forwarded` or `X-Forwarded-For` header is trusted (default: none), and
    `stream_after`, after how many seconds without a result an answer over HTTP becomes an event
    stream (default: 0.1).
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
        sync_in_thread: bool | None = None,
        docstring_params: bool = False,
        notification_options: NotificationOptions | None = None,
        legacy_sse: bool = False,
        docs: bool = False,
        log_format: LogFormat | None = None,
        resource_security: ResourceSecurity | None = None,
        fast_path: bool = True,
        options: dict[str, Any] | None = None,
        stores: str | None = None,
        authorize: Authorize | None = None,
        audit: Audit | None = None,
        sanitize_result: SanitizeResult | None = None,
        error_detail: ErrorDetail | None = None,
        **watching: Unpack[WatchOptions],
    ) -> None:
        refuse_unknown("FastMCP.__init__", watching, WatchOptions)
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
            docs=docs,
            **watching,
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
            ToolManager(settings.warn_on_duplicate_tools, tools=tools, docstring_params=docstring_params),
            ResourceManager(settings.warn_on_duplicate_resources, resource_security),
            PromptManager(settings.warn_on_duplicate_prompts),
        )
        super().__init__(
            settings,
            server,
            managers,
            FastMCP,
            sync_in_thread=not face.current.runs_on_loop if sync_in_thread is None else sync_in_thread,
            auth_server_provider=auth_server_provider,
            token_verifier=token_verifier,
        )
        self._event_store = event_store
        self._retry_interval = retry_interval
        self._log_format = begin_logging(log_level, log_format)

    def _new_context(self) -> Context[Any, LifespanResultT, Any]:
        return Context(request_context=request_ctx.get(None), fastmcp=self)

    def get_context(self) -> Context[Any, LifespanResultT, Any]:
        """The context of the request being answered. Outside of a request it can still reach the
        server, but members that need a request raise `ValueError`.
        """
        try:
            request_context: Any = self._mcp_server.request_context
        except LookupError:
            request_context = None
        return Context(request_context=request_context, fastmcp=self)


class StreamableHTTPASGIApp:
    """A session manager as an ASGI application.

    Args:
        session_manager: The manager that serves the requests.
    """

    def __init__(self, session_manager: StreamableHTTPSessionManager) -> None:
        self.session_manager = session_manager

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self.session_manager.handle_request(scope, receive, send)
