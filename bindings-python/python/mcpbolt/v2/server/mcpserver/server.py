"""The high-level server of 2.x, with its defaults and its options for HTTP.

Owns: what differs from `mcpbolt.server.mcpserver`. Must not know: how requests are answered.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from ...._common.functions.lines import as_model
from ...._common.prompts.base import Prompt as AnyPrompt
from ...._common.provider import Provider
from ...._common.serving import known
from ...._common.settings import Settings
from ...._engine.protocol import METHODS
from ....server._asgi import DEFAULT_MAX_REQUEST_BODY_SIZE
from ....server._exceptions import InvalidSignature
from ....server.extension import require_client_extension
from ....server.lowlevel._bymethod import MethodHandler
from ....server.mcpserver._sealing import seal_by
from ....server.mcpserver.server import MCPServer as _MCPServer
from ....server.request_state import RequestStateSecurity
from ....server.streamable_http_manager import (
    DEFAULT_MAX_SESSIONS,
    DEFAULT_SESSION_IDLE_TIMEOUT,
    StreamableHTTPSessionManager,
)
from ....shared._param_headers import fault_of
from ....shared.exceptions import McpError
from ..lowlevel.server import LifespanResultT, Server, model_of, with_own_params
from ._models import OwnModels
from ._provider import OwnProvider
from .prompts import Prompt, PromptManager
from .resources.resource_manager import ResourceManager
from .tools import ToolManager

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from typing_extensions import Unpack

    from ... import types
    from ....server._pages import PageOptions
    from ....server.streamable_http import EventStore
    from ....server.transport_security import TransportSecuritySettings

INVALID_PARAMS = -32602
# Per list: the member of its result and the models of the result and of a row.
_LISTS = {
    "tools/list": ("tools", "ListToolsResult", "Tool"),
    "resources/list": ("resources", "ListResourcesResult", "Resource"),
    "resources/templates/list": ("resource_templates", "ListResourceTemplatesResult", "ResourceTemplate"),
    "prompts/list": ("prompts", "ListPromptsResult", "Prompt"),
}
LifespanT = TypeVar("LifespanT")

__all__ = ["MCPServer", "Settings", "lifespan_wrapper", "require_client_extension"]


def lifespan_wrapper(
    app: MCPServer[LifespanT], lifespan: Callable[[MCPServer[LifespanT]], AbstractAsyncContextManager[LifespanT]]
) -> Callable[[Any], AbstractAsyncContextManager[LifespanT]]:
    """The lifespan of a server as that of its low-level one.

    Args:
        app: The server.
        lifespan: Its lifespan.
    """

    @asynccontextmanager
    async def wrap(_: Any) -> AsyncGenerator[LifespanT, None]:
        async with lifespan(app) as value:
            yield value

    return wrap


class MCPServer(OwnModels, _MCPServer[LifespanResultT], Generic[LifespanResultT]):
    """A server made of functions, exactly as the official 2.x package has it.

    It differs from `mcpbolt.MCPServer` in two defaults: a call of an unknown tool is answered by a
    result with `isError`, and a `requestState` may be used more than once.

    Args:
        *arguments: The arguments of `mcpbolt.MCPServer`, in its order: `name`, `title`,
            `description`, `instructions` and so on.
        **options: The arguments of `mcpbolt.MCPServer`, by name.

    Example:
        ```python
        app = MCPServer("demo")

        @app.tool()
        def add(a: int, b: int) -> int:
            return a + b
        ```
    """

    _low_level = Server
    _provider_type: ClassVar[type[Provider]] = OwnProvider
    _prompt_type: ClassVar[type[AnyPrompt]] = Prompt
    _managers = (ToolManager, ResourceManager, PromptManager)

    def __init__(self, *arguments: Any, **options: Any) -> None:
        options.setdefault("unknown_tool", "result")
        super().__init__(*arguments, **options)
        # Extensions have added theirs.
        self._give_own_params()
        if self._mcp_server.state_boundary is None:
            # A key of this process alone.
            security = RequestStateSecurity(keys=[secrets.token_bytes(32)], reusable=True)
            seal_by(self._mcp_server, security, named=True)

    def add_tool(self, fn: Any, *arguments: Any, **options: Any) -> Any:
        """Register a function as a tool.

        Args:
            fn: The function.
            *arguments: The other arguments of `mcpbolt.MCPServer.add_tool`, in its order.
            **options: The other arguments of `mcpbolt.MCPServer.add_tool`, by name.

        Raises:
            InvalidSignature: The signature cannot be described to clients, or an argument has an
                `x-mcp-header` that no header can carry.
        """
        added = super().add_tool(fn, *arguments, **options)
        for tool in self._tool_manager.list_tools():
            if tool.fn is fn or getattr(tool.fn, "__wrapped__", None) is fn:
                fault = fault_of(tool.parameters)
                if fault is not None:
                    self._tool_manager.remove_tool(tool.name)
                    raise InvalidSignature(f"Tool {tool.name!r} has an invalid x-mcp-header annotation: {fault}")
        return added

    # What it answers with

    if TYPE_CHECKING:

        async def list_tools(self) -> list[types.Tool]:  # type: ignore[override]
            """All tools, as clients see them."""
            ...

        async def list_resources(self) -> list[types.Resource]:  # type: ignore[override]
            """All resources, as clients see them, without templates."""
            ...

        async def list_resource_templates(self) -> list[types.ResourceTemplate]:  # type: ignore[override]
            """All resource templates, as clients see them."""
            ...

        async def list_prompts(self) -> list[types.Prompt]:  # type: ignore[override]
            """All prompts, as clients see them."""
            ...

        async def call_tool(  # type: ignore[override]
            self, name: str, arguments: dict[str, Any], context: Any = None
        ) -> types.CallToolResult | types.InputRequiredResult:
            """Call a tool.

            Args:
                name: The tool's name.
                arguments: The arguments by name.
                context: The context to pass to the function. Default: none.

            Raises:
                ToolError: There is no tool of that name, the arguments are invalid, or the tool raised it.
                UnexpectedToolError: The tool failed in another way.
                MCPError: The tool raised it.
            """
            ...

        async def get_prompt(  # type: ignore[override]
            self, name: str, arguments: dict[str, Any] | None = None, context: Any = None
        ) -> types.GetPromptResult | types.InputRequiredResult:
            """Get the messages of a prompt, or the questions of its function.

            Args:
                name: The prompt's name.
                arguments: The arguments by name, as texts. Default: none.
                context: The context to pass to the function. Default: none.

            Raises:
                ValueError: There is no prompt of this name, or it cannot be rendered.
                MCPError: The prompt's function raised it.
            """
            ...

    def _setup_handlers(self) -> None:
        super()._setup_handlers()
        table: Any = self._mcp_server.request_handlers
        for method in _LISTS:
            self._put(method, partial(self._list, method))
            self._provider.handlers[method] = table.of(method)
        self._give_own_params()

    def _put(self, method: str, call: Callable[[Any, Any], Awaitable[Any]]) -> None:
        table: Any = self._mcp_server.request_handlers
        table.put(method, MethodHandler(call, model_of(METHODS[method].params)))

    def _give_own_params(self) -> None:
        table: Any = self._mcp_server.request_handlers
        known = self._provider.handlers
        # Not those that an extension has put in their place: the engine must not answer for them.
        ours = [method for method, handler in known.items() if table.of(method) is handler]
        with_own_params(table)
        known.update({method: table.of(method) for method in ours})

    async def _list(self, method: str, ctx: Any, params: Any) -> Any:
        del ctx, params
        member, result, row = _LISTS[method]
        # By its name, as programs override it.
        found: list[Any] = await getattr(self, METHODS[method].verb)()
        kind = getattr(self._models, row)
        return getattr(self._models, result)(**{member: [as_model(kind, one) for one in found]})

    def _complete_by(self, complete: Callable[[Any, Any, Any], Awaitable[Any]]) -> None:
        async def answer(ctx: Any, params: Any) -> Any:
            del ctx
            found = await complete(params.ref, params.argument, params.context)
            models = self._models
            return models.CompleteResult(completion=models.Completion(values=[]) if found is None else found)

        self._put("completion/complete", answer)

    def _add_function(self, fn: Any, uri: str, more: dict[str, Any]) -> None:
        from .resources.types import FunctionResource

        self.add_resource(FunctionResource.from_function(fn=fn, uri=uri, **more))

    # Answers

    async def _get(self, ctx: Any, params: Any) -> Any:
        del ctx
        try:
            return await self.get_prompt(params.name, params.arguments, self.get_context())
        except McpError:
            raise
        except Exception as error:
            words, mine = str(error), f"Error rendering prompt {params.name}"
            raise ValueError(mine if words.startswith(mine) else words) from error

    async def _read(self, ctx: Any, params: Any) -> Any:
        try:
            return await super()._read(ctx, params)
        except ValueError as error:
            uri = getattr(error, "uri", None)
            if uri is None:
                raise
            raise McpError(INVALID_PARAMS, str(error), {"uri": uri}) from error

    @property
    def session_manager(self) -> StreamableHTTPSessionManager:
        """The session manager that serves HTTP.

        Raises:
            RuntimeError: Neither `streamable_http_app` nor `run` over HTTP was called yet.
        """
        return self._session_manager or self._mcp_server.session_manager

    @known
    def streamable_http_app(  # type: ignore[override]
        self,
        *,
        streamable_http_path: str = "/mcp",
        json_response: bool = False,
        stateless_http: bool = False,
        event_store: EventStore | None = None,
        retry_interval: int | None = None,
        max_request_body_size: int = DEFAULT_MAX_REQUEST_BODY_SIZE,
        session_idle_timeout: float | None = DEFAULT_SESSION_IDLE_TIMEOUT,
        max_sessions: int | None = DEFAULT_MAX_SESSIONS,
        transport_security: TransportSecuritySettings | None = None,
        host: str = "127.0.0.1",
        **pages: Unpack[PageOptions],
    ) -> Starlette:
        """Make a Starlette application that serves streamable HTTP, to run it with an ASGI server
        or mount it in another application.

        Args:
            streamable_http_path: The path of the endpoint. Default: `/mcp`.
            json_response: Whether every answer over HTTP is one JSON object; progress and log
                messages of a request are then not sent. Default: no: an answer becomes an event
                stream when something precedes the result.
            stateless_http: Whether to serve without sessions, so that any process can answer any
                request. Default: no.
            event_store: Stores the messages of streams, so that clients that reconnect get what
                they missed. Default: the engine keeps up to 1000 messages and 1 MiB for each
                session, in memory.
            retry_interval: How many milliseconds clients should wait before they reconnect to a
                stream that ended. Default: 1000.
            max_request_body_size: The largest request body that is accepted, in bytes; larger ones
                get status 413. Default: 4 MiB.
            session_idle_timeout: After how many seconds without traffic a session ends; `None` for
                never. Default: 1800.
            max_sessions: How many sessions may be open at a time; further ones get status 503.
                `None` for no limit. Default: 10,000.
            transport_security: Which `Host` and `Origin` headers are allowed. Default: local ones
                if `host` is local, else all.
            host: The address that the application is served at; decides the default of
                `transport_security`. Default: `127.0.0.1`.
            **pages: Paths of pages for health, readiness and metrics, see `PageOptions`. Default:
                none.
        """
        return self._mcp_server.streamable_http_app(
            streamable_http_path=streamable_http_path,
            json_response=json_response,
            stateless_http=stateless_http,
            event_store=event_store,
            retry_interval=retry_interval,
            max_request_body_size=max_request_body_size,
            session_idle_timeout=session_idle_timeout,
            max_sessions=max_sessions,
            transport_security=transport_security,
            host=host,
            auth=self.settings.auth,
            token_verifier=self._token_verifier,
            auth_server_provider=self._auth_server_provider,
            custom_starlette_routes=self._custom_starlette_routes,
            debug=self.settings.debug,
            **pages,
        )
