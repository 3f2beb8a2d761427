"""The high-level server of 2.x, with its defaults and its options for HTTP.

Owns: what differs from `mcpbolt.server.mcpserver`. Must not know: how requests are answered.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ...._common.serving import known
from ...._common.settings import Settings
from ....server._asgi import DEFAULT_MAX_REQUEST_BODY_SIZE
from ....server._exceptions import InvalidSignature
from ....server.extension import require_client_extension
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
from ..lowlevel.server import LifespanResultT, Server

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from typing_extensions import Unpack

    from ....server._pages import PageOptions
    from ....server.streamable_http import EventStore
    from ....server.transport_security import TransportSecuritySettings

INVALID_PARAMS = -32602
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


class MCPServer(_MCPServer[LifespanResultT], Generic[LifespanResultT]):
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

    def __init__(self, *arguments: Any, **options: Any) -> None:
        options.setdefault("unknown_tool", "result")
        super().__init__(*arguments, **options)
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

    # Answers

    async def _get(self, ctx: Any, params: Any) -> Any:
        del ctx
        try:
            return await self.get_prompt(params.name, params.arguments)
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
