"""The high-level server of 2.x.

Owns: what only 2.x decides: the arguments of the constructor, contexts, what exceptions become,
and the options of running it. Must not know: how it is served; `_serving` does.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, cast

from ..._common.logging import configure_logging
from ..._common.provider import Provider
from ..._common.server import LifespanResultT
from ..._common.settings import Settings
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


@found_in("server.mcpserver.context")
class Context(Reporting, Lenient, Generic[LifespanContextT, RequestT]):
    """The request that a function answers.

    A function gets one by annotating a parameter of any name with `Context`.
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

        Raises:
            ResourceError: The resource does not exist or cannot be read.
            RuntimeError: The resource has questions to the client, which cannot be asked here.
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
    """A server made of functions, with the semantics of 2.x.

    If a tool raises `MCPError`, the answer is that error; the message of a `ToolError` is
    shown to the model; of any other exception, clients learn only that there was one.
    Functions may return an `InputRequiredResult`, and have parameters filled by `Resolve`.
    Options of transports are given when the server is run.

    Options beyond those of the official class: `unknown_tool="result"` answers a call of an
    unknown tool with a result with `isError`; `sync_in_thread`, `docstring_params` and
    `fast_path` are those of `FastMCP`; `options`, `authorize`, `audit`, `sanitize_result` and
    `error_detail` are guard rails, see `mcpbolt.server.Server`.

    The engine seals `requestState` with a key of this process. With `request_state_security`
    the program's own keys seal it too, with limits on time and use; processes that share the
    same `keys` accept each other's states.
    """

    _provider_type: ClassVar[type[Provider]] = ModernProvider

    # Another line of the official package has another one.
    _low_level: ClassVar[type[LowLevelServer[Any, Any]]] = LowLevelServer

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
        fast_path: bool = True,
        options: dict[str, Any] | None = None,
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
            options=options,
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
        managers = (
            ToolManager(warn_on_duplicate_tools, tools=tools, docstring_params=docstring_params),
            ResourceManager(warn_on_duplicate_resources, resource_security),
            PromptManager(warn_on_duplicate_prompts),
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
        if log_level is not None:
            configure_logging(log_level)
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
        """What the server is for; `None` without a description."""
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
        """The context of the request being answered. Outside of a request it has no request
        data.
        """
        return Context(request_context=request_ctx.get(None), mcp_server=self)

    def _new_context(self) -> Context[LifespanResultT, Any]:
        return Context(request_context=request_ctx.get(None), mcp_server=self)
