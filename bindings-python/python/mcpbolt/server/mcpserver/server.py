"""The high-level server of 2.x.

Owns: what only 2.x decides: the arguments of the constructor, contexts, what exceptions become,
and the options of running it. Must not know: how it is served; `_serving` does.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, cast

from ..._common.logging import LogFormat, begin_logging
from ..._common.provider import Provider
from ..._common.server import LifespanResultT
from ..._common.settings import Settings
from ..._common.tools.tasks import keeping
from ..._engine import face
from ..._engine.context import request_ctx
from ..._engine.questions import is_question
from ..._generics import Lenient, TypeVar
from ..._naming import found_in
from .._resource_security import DEFAULT_RESOURCE_SECURITY, ResourceSecurity
from ..context import ServerRequestContext, context_of
from ..lowlevel.helper_types import ReadResourceContents
from ..lowlevel.server import Server as LowLevelServer
from ..lowlevel.server import lifespan as default_lifespan
from ..subscriptions import InMemorySubscriptionBus
from ._answering import Answering
from ._provider import ModernProvider
from ._registering import Registering
from ._reporting import Reporting
from ._serving import ServingByOptions
from .prompts import PromptManager
from .resources.resource_manager import ResourceManager
from .tools import ToolManager

if TYPE_CHECKING:
    from pydantic import AnyUrl

    from ... import types
    from ..._common.resources.base import Resource
    from ..caching import CacheHint
    from ..context import ServerMiddleware
    from ..extension import Extension
    from ..guarding import Audit, Authorize, ErrorDetail, SanitizeResult
    from ..request_state import RequestStateSecurity
    from ..subscriptions import SubscriptionBus
    from .tools import Tool

__all__ = ["Context", "MCPServer"]

logger: logging.Logger = logging.getLogger("mcp.server.mcpserver.server")

LifespanContextT = TypeVar("LifespanContextT", default=Any)
RequestT = TypeVar("RequestT", default=Any)
INTERNAL_ERROR = -32603
_Managers = tuple[type[ToolManager], type[ResourceManager], type[PromptManager]]


@found_in("server.mcpserver.context")
class Context(Reporting, Lenient, Generic[LifespanContextT, RequestT]):
    """The request that a function answers: report progress, ask the user, read resources, and see
    who the client is.

    The server makes one for each request and passes it to a tool, prompt or resource template in
    the parameter that is annotated with `Context`, whatever its name. Clients do not see that
    parameter. Outside of a request, members that need one raise `ValueError`.

    Args:
        request_context: The request as the low-level server has it. Default: none, outside of a
            request.
        mcp_server: The server that answers it. Default: none.

    Example:
        ```python
        from mcpbolt import MCPServer
        from mcpbolt.server.mcpserver import Context

        mcp = MCPServer("files")

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
        request_context: Any = None,
        mcp_server: MCPServer[Any] | None = None,
        **_: Any,
    ) -> None:
        super().__init__(request_context, mcp_server)

    @property
    def mcp_server(self) -> MCPServer[Any]:
        """The server that answers the request.

        Raises:
            ValueError: No request is being answered.
        """
        server: MCPServer[Any] = self._server
        return server

    @property
    def request_context(self) -> ServerRequestContext[LifespanContextT, RequestT]:
        """The request's context in the low-level server.

        Raises:
            ValueError: No request is being answered.
        """
        return context_of(super().request_context)

    async def read_resource(self, uri: str | AnyUrl) -> Iterable[ReadResourceContents]:
        """Read a resource of this server.

        Args:
            uri: The URI of a resource, or one that matches a template.

        Raises:
            ResourceError: The resource does not exist or cannot be read.
            RuntimeError: The function of the resource asks the user a question, which it cannot when
                another function reads it.

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
        # Answers of the client are for the function that asked, not for another one.
        nested: Context[Any, Any] = Context(request_context=self._request_context, mcp_server=self._owner)
        nested._is_nested = True
        found = await self.mcp_server.read_resource(uri, nested)
        if is_question(found):
            raise RuntimeError(
                "Resource returned InputRequiredResult; ctx.read_resource() only returns content — "
                "use MCPServer.read_resource(uri, context) to receive and forward it."
            )
        return cast("Iterable[ReadResourceContents]", found)


face.current.shape(Context)


class MCPServer(ServingByOptions, Answering[LifespanResultT], Registering[LifespanResultT]):
    """A server made of functions, with the API of the official 2.x package.

    Functions become tools, resources and prompts with the decorators `tool`, `resource` and
    `prompt`; `run` serves them, and takes the options of transports. If a tool raises `MCPError`,
    the answer is that error response. If it raises `ToolError`, the result has `isError` and the
    message. If it raises anything else, the result has `isError` and only the name of the tool.
    Functions may ask the user by returning an `InputRequiredResult`, or by parameters that
    `Resolve` fills.

    Args:
        name: The server's name, as clients see it. Default: `mcp-server`.
        title: The name to show to people. Default: none.
        description: A description of the server. Default: none.
        instructions: What a client's model should know to use this server well. Default: none.
        website_url: The URL of the server's website. Default: none.
        icons: Icons for the server. Default: none.
        version: The server's version. Default: empty.
        auth_server_provider: Makes this server its own authorization server: an implementation of
            `OAuthAuthorizationServerProvider`. Needs `auth`; not together with `token_verifier`.
            Default: none.
        token_verifier: Verifies the bearer tokens of requests over HTTP: an object with
            `verify_token`. Needs `auth`; not together with `auth_server_provider`. Default: none.
        tools: `Tool` objects to register from the start. Default: none.
        resources: `Resource` objects to register from the start. Default: none.
        extensions: Extensions of the protocol that this server supports and announces. Default:
            none.
        debug: Whether the Starlette applications of this server show tracebacks in their answers.
            Default: no.
        log_level: The lowest level of this process's own log messages. If given, they are written
            to stderr, unless the program has configured logging. Default: logging is left as it is.
        log_format: How they are written: `"text"`, or `"json"`, one object a line, with the trace's id
            inside a span of OpenTelemetry. If given without `log_level`, from `INFO` on. Default:
            `"text"`.
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
        resource_security: Which values the parameters of resource templates may have. Default:
            values that could lead out of a folder are refused, such as `../secret`.
        request_state_security: Keys for `requestState`, the state that goes through clients between
            the rounds of a call (2026-07-28). Processes with the same keys accept each other's
            states. Default: a random key of this process.
        cache_hints: How long clients may cache results, by method. Default: no hints.
        subscriptions: The bus on which changes are published, for several processes one on a
            message broker. `False`: clients of 2026-07-28 cannot subscribe to changes. Default: a
            bus in this process.
        middleware: Functions that wrap the handling of every request and notification, outermost
            first. Default: none.
        unknown_tool: How to answer a call of an unknown tool: `"error"`, the default, for an error
            response with code -32602, or `"result"` for a result with `isError`.
        sync_in_thread: Whether tools, prompts and resources that are plain functions run on worker
            threads, so that they do not block the event loop. Default: yes.
        docstring_params: Whether the descriptions of a tool's parameters are taken from its
            docstring, in the style of Google, NumPy or Sphinx. Default: no.
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
        error_detail: What clients see of an unexpected exception: with `"message"`, the default,
            what is described above; with `"masked"`, only an id that is in the log too.
        stores: Where tasks are kept: `"file:PATH"` for a file that outlasts the process, or the URL
            of a Redis or Valkey server such as `"redis://host:6379"`, where sessions are kept as
            well, for all processes that name it. Default: in memory.

    Example:
        ```python
        from mcpbolt import MCPServer

        mcp = MCPServer("calculator")

        @mcp.tool()
        def add(a: int, b: int) -> int:
            "Add two numbers."
            return a + b

        if __name__ == "__main__":
            mcp.run()
        ```
    """

    _provider_type: ClassVar[type[Provider]] = ModernProvider

    # Another line of the official package has others.
    _low_level: ClassVar[type[LowLevelServer[Any, Any]]] = LowLevelServer
    _managers: ClassVar[_Managers] = (ToolManager, ResourceManager, PromptManager)

    def __init__(
        self,
        name: str | None = None,
        title: str | None = None,
        description: str | None = None,
        instructions: str | None = None,
        website_url: str | None = None,
        icons: list[types.Icon] | None = None,
        version: str = "",
        auth_server_provider: Any = None,
        token_verifier: Any = None,
        *,
        tools: list[Tool] | None = None,
        resources: list[Resource] | None = None,
        extensions: Sequence[Extension] | None = None,
        debug: bool = False,
        log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"] | None = None,
        warn_on_duplicate_resources: bool = True,
        warn_on_duplicate_tools: bool = True,
        warn_on_duplicate_prompts: bool = True,
        dependencies: Collection[str] | None = None,
        lifespan: Callable[[MCPServer[Any]], AbstractAsyncContextManager[LifespanResultT]] | None = None,
        auth: Any = None,
        resource_security: ResourceSecurity = DEFAULT_RESOURCE_SECURITY,
        request_state_security: RequestStateSecurity | None = None,
        cache_hints: Mapping[str, CacheHint] | None = None,
        subscriptions: SubscriptionBus | Literal[False] | None = None,
        middleware: Sequence[ServerMiddleware] | None = None,
        unknown_tool: Literal["error", "result"] = "error",
        sync_in_thread: bool = True,
        docstring_params: bool = False,
        log_format: LogFormat | None = None,
        fast_path: bool = True,
        options: dict[str, Any] | None = None,
        stores: str | None = None,
        authorize: Authorize | None = None,
        audit: Audit | None = None,
        sanitize_result: SanitizeResult | None = None,
        error_detail: ErrorDetail | None = None,
    ) -> None:
        server: LowLevelServer[Any, Any] = self._low_level(
            name=name or "mcp-server",
            instructions=instructions,
            website_url=website_url,
            icons=icons,
            lifespan=self._lifespan if lifespan else default_lifespan,
            fast_path=fast_path,
            options=keeping(options, stores),
            authorize=authorize,
            audit=audit,
            sanitize_result=sanitize_result,
            error_detail=error_detail,
        )
        settings = Settings(
            host="127.0.0.1",
            debug=debug,
            log_level=log_level or "INFO",
            warn_on_duplicate_resources=warn_on_duplicate_resources,
            warn_on_duplicate_tools=warn_on_duplicate_tools,
            warn_on_duplicate_prompts=warn_on_duplicate_prompts,
            dependencies=list(dependencies or ()),
            lifespan=lifespan,
            auth=auth,
        )
        of_tools, of_resources, of_prompts = self._managers
        managers = (
            of_tools(settings.warn_on_duplicate_tools, tools=tools, docstring_params=docstring_params),
            of_resources(settings.warn_on_duplicate_resources, resource_security),
            of_prompts(settings.warn_on_duplicate_prompts),
        )
        super().__init__(
            settings,
            server,
            managers,
            MCPServer,
            sync_in_thread=sync_in_thread,
            auth_server_provider=auth_server_provider,
            token_verifier=token_verifier,
        )
        self._log_format = begin_logging(log_level, log_format)
        server.title, server.description, server.version = title, description, version
        server.unknown_tool = unknown_tool
        # The bus on which the program publishes changes; it works without subscribers too.
        self.bus: SubscriptionBus = subscriptions or InMemorySubscriptionBus()
        server.publish_on(None if subscriptions is False else self.bus)
        if request_state_security is not None:
            from ._sealing import seal_by

            seal_by(server, request_state_security, named=bool(name))
        if cache_hints:
            from ..caching import validated

            server.cache_hints = validated(cache_hints)
        for resource in resources or ():
            self.add_resource(resource)
        server.middleware.extend(middleware or ())
        if extensions:
            from ._extending import extend

            extend(self, server, extensions, self._call)

    @property
    def _lowlevel_server(self) -> Any:
        # The name of 2.x.
        return self._mcp_server

    # About the server

    @property
    def title(self) -> str | None:
        """The name to show to people; `None` without one."""
        return self._mcp_server.title

    @property
    def description(self) -> str | None:
        """The description of the server; `None` without one."""
        return self._mcp_server.description

    @property
    def version(self) -> str:
        """The server's version; empty if it has none."""
        return self._mcp_server.version or ""

    @property
    def middleware(self) -> list[ServerMiddleware]:
        """The middleware around every message, outermost first. May be changed at any time."""
        return self._mcp_server.middleware

    def get_context(self) -> Context[LifespanResultT, Any]:
        """The context of the request being answered. Outside of a request it can still reach the
        server, but members that need a request raise `ValueError`.
        """
        return Context(request_context=request_ctx.get(None), mcp_server=self)

    def _new_context(self) -> Context[LifespanResultT, Any]:
        return Context(request_context=request_ctx.get(None), mcp_server=self)
