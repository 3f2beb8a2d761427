"""The low-level server: handlers by decorator or by keyword, run on any pair of streams.

Owns: the arguments of its constructor. Must not know: the engine.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, Generic

from ..._generics import Lenient
from ...shared.experimental import warn_of_tasks
from ._core import (
    LifespanResultT,
    NotificationOptions,
    RequestT,
    ServerCore,
    lifespan,
    package_version,
    request_ctx,
)
from ._http import Mountable
from .helper_types import ReadResourceContents

if TYPE_CHECKING:
    from ... import types
    from .experimental import ExperimentalHandlers
    from ..caching import CacheHint
    from ..context import ServerRequestContext
    from ..guarding import Audit, Authorize, ErrorDetail, SanitizeResult

    Context = ServerRequestContext[Any, Any]
    Page = types.PaginatedRequestParams | None

__all__ = ["NotificationOptions", "ReadResourceContents", "Server", "lifespan", "package_version", "request_ctx"]

logger: logging.Logger = logging.getLogger("mcp.server.lowlevel.server")


class Server(Lenient, ServerCore[LifespanResultT, RequestT], Mountable, Generic[LifespanResultT, RequestT]):
    """A registry of handlers that serves any number of connections.

    Handlers are registered with decorators, as in 1.x, or given as `on_…=` arguments, as in 2.x:
    async functions of a `ServerRequestContext` and the params, which return the whole result. The
    server declares the capabilities for which it has handlers, and answers other methods with -32601
    (method not found). If a handler of `tools/call` raises, `@call_tool()` makes a result with
    `isError` of it, `on_call_tool=` an error response.

    Args:
        name: The server's name, as clients see it.
        version: The server's version. Default: that of this package.
        instructions: What a client's model should know to use this server well. Default: none.
        website_url: The URL of the server's website. Default: none.
        icons: Icons for the server. Default: none.
        lifespan: Called with this server when a run starts; returns an async context manager that
            is open while it runs. Handlers find the value that it yields as `lifespan_context`.
            Default: one that yields an empty dictionary.
        title: The name to show to people. Default: none.
        description: A description of the server. Default: none.
        cache_hints: How long clients may cache results, by method (2026-07-28). Default: no hints.
        get_tool_input_schema: Returns the input schema of a tool by name, or `None`. The schema is
            needed to check HTTP headers that repeat arguments (`x-mcp-header`). Default: the handler
            of `tools/list` is asked.
        on_list_tools: Answers `tools/list`. Default: none.
        on_call_tool: Answers `tools/call`. Default: none.
        on_list_resources: Answers `resources/list`. Default: none.
        on_list_resource_templates: Answers `resources/templates/list`. Default: none.
        on_read_resource: Answers `resources/read`. Default: none.
        on_subscribe_resource: Answers `resources/subscribe`, up to 2025-11-25. Default: none.
        on_unsubscribe_resource: Answers `resources/unsubscribe`, up to 2025-11-25. Default: none.
        on_subscriptions_listen: Answers `subscriptions/listen`, from 2026-07-28; usually a
            `ListenHandler`. Default: none.
        on_list_prompts: Answers `prompts/list`. Default: none.
        on_get_prompt: Answers `prompts/get`. Default: none.
        on_completion: Answers `completion/complete`. Default: none.
        on_set_logging_level: Answers `logging/setLevel`, up to 2025-11-25. Default: none.
        on_ping: Answers `ping`, up to 2025-11-25. Default: the engine does.
        on_roots_list_changed: Called when a client notifies that its roots changed. Default: none.
        on_progress: Called when a client reports progress on a request of this server. Default:
            none.
        fast_path: Whether the engine itself answers requests that call no function of the program,
            such as pings. `False` makes Python answer all of them, for debugging. Default: yes.
        options: Limits and other options of the engine by name, such as `{"max_in_flight": 100}`.
            Default: those of the table of limits in the reference.
        notification_options: Which changes of its lists the server notifies clients of, unless
            `create_initialization_options` is given others. Default: none.
        authorize: Decides what each client may do and see: a function of an `Asker` and an
            `Action`, see `mcpbolt.server.guarding`. Default: everything is allowed.
        audit: Where to write a record of each request: the path of a file of JSON lines, or a
            function that takes one record as a dictionary. Default: nowhere.
        sanitize_result: Called with the method, the name of the tool or other object, and the
            result; returns the result to send. Default: results are sent unchanged.
        error_detail: What clients see of an unexpected exception: its `"message"`, the default, or
            `"masked"`: only an id that is in the log too.

    Example:
        ```python
        from mcpbolt import types
        from mcpbolt.server.lowlevel import Server

        server = Server("calculator")

        @server.list_tools()
        async def list_tools() -> list[types.Tool]:
            numbers = {"a": {"type": "integer"}, "b": {"type": "integer"}}
            return [types.Tool(name="add", inputSchema={"type": "object", "properties": numbers})]

        @server.call_tool()
        async def call_tool(name: str, arguments: dict) -> list[types.ContentBlock]:
            return [types.TextContent(type="text", text=str(arguments["a"] + arguments["b"]))]
        ```
    """

    def __init__(
        self,
        name: str,
        version: str | None = None,
        instructions: str | None = None,
        website_url: str | None = None,
        icons: list[types.Icon] | None = None,
        lifespan: Callable[[Server[Any, Any]], AbstractAsyncContextManager[Any]] = lifespan,
        *,
        title: str | None = None,
        description: str | None = None,
        cache_hints: Mapping[str, CacheHint] | None = None,
        get_tool_input_schema: Callable[[str], Mapping[str, Any] | None] | None = None,
        on_list_tools: Callable[[Context, Page], Awaitable[types.ListToolsResult]] | None = None,
        on_call_tool: Callable[
            [Context, types.CallToolRequestParams], Awaitable[types.CallToolResult | types.InputRequiredResult]
        ]
        | None = None,
        on_list_resources: Callable[[Context, Page], Awaitable[types.ListResourcesResult]] | None = None,
        on_list_resource_templates: Callable[[Context, Page], Awaitable[types.ListResourceTemplatesResult]]
        | None = None,
        on_read_resource: Callable[
            [Context, types.ReadResourceRequestParams], Awaitable[types.ReadResourceResult | types.InputRequiredResult]
        ]
        | None = None,
        on_subscribe_resource: Callable[[Context, types.SubscribeRequestParams], Awaitable[types.EmptyResult]]
        | None = None,
        on_unsubscribe_resource: Callable[[Context, types.UnsubscribeRequestParams], Awaitable[types.EmptyResult]]
        | None = None,
        on_subscriptions_listen: Callable[
            [Context, types.SubscriptionsListenRequestParams], Awaitable[types.SubscriptionsListenResult]
        ]
        | None = None,
        on_list_prompts: Callable[[Context, Page], Awaitable[types.ListPromptsResult]] | None = None,
        on_get_prompt: Callable[
            [Context, types.GetPromptRequestParams], Awaitable[types.GetPromptResult | types.InputRequiredResult]
        ]
        | None = None,
        on_completion: Callable[[Context, types.CompleteRequestParams], Awaitable[types.CompleteResult]] | None = None,
        on_set_logging_level: Callable[[Context, types.SetLevelRequestParams], Awaitable[types.EmptyResult]]
        | None = None,
        on_ping: Callable[[Context, types.RequestParams | None], Awaitable[types.EmptyResult]] | None = None,
        on_roots_list_changed: Callable[[Context, types.NotificationParams | None], Awaitable[None]] | None = None,
        on_progress: Callable[[Context, types.ProgressNotificationParams], Awaitable[None]] | None = None,
        fast_path: bool = True,
        options: dict[str, Any] | None = None,
        notification_options: NotificationOptions | None = None,
        authorize: Authorize | None = None,
        audit: Audit | None = None,
        sanitize_result: SanitizeResult | None = None,
        error_detail: ErrorDetail | None = None,
    ) -> None:
        handlers = {name: value for name, value in locals().items() if name.startswith("on_")}
        bus = self._bus_of(handlers)
        super().__init__(name, version, lifespan, fast_path=fast_path, options=options)
        self._present(title, description, instructions, website_url, icons)
        if notification_options is not None:
            self.notification_options = notification_options
        if any(given is not None for given in (authorize, audit, sanitize_result, error_detail)):
            from ..guarding import Guarding

            self._guard_by(Guarding(authorize, audit, sanitize_result, error_detail))
        self.get_tool_input_schema = get_tool_input_schema
        self._publish(cache_hints, bus)
        self._register(handlers)

    @property
    def experimental(self) -> ExperimentalHandlers:
        """Tasks of revision 2025-11-25. The protocol has withdrawn them since."""
        warn_of_tasks()
        if self._experimental_handlers is None:
            from .experimental import ExperimentalHandlers

            self._experimental_handlers = ExperimentalHandlers(
                self, self.request_handlers, self.notification_handlers
            )
        return self._experimental_handlers

    @property
    def runs_itself(self) -> bool:
        """Whether a program has overridden `run`."""
        return getattr(self.run, "__func__", None) is not Server.run


# Kept to detect whether a program has patched the method.
OWN_CALL_TOOL: Any = Server.call_tool
