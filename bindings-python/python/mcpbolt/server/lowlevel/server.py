"""The low-level server: handlers by decorator or by keyword, run on any pair of streams.

Owns: the arguments of its constructor. Must not know: the engine.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, Generic

from ..._generics import Lenient
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
    from ..caching import CacheHint
    from ..context import ServerRequestContext
    from ..guarding import Audit, Authorize, ErrorDetail, SanitizeResult

    Context = ServerRequestContext[Any, Any]
    Page = types.PaginatedRequestParams | None

__all__ = ["NotificationOptions", "ReadResourceContents", "Server", "lifespan", "package_version", "request_ctx"]

logger: logging.Logger = logging.getLogger("mcp.server.lowlevel.server")


class Server(Lenient, ServerCore[LifespanResultT, RequestT], Mountable, Generic[LifespanResultT, RequestT]):
    """A registry of handlers that serves any number of connections.

    Handlers are registered with decorators, as in 1.x, or given as `on_…=` functions of a
    context and params that return whole results, as in 2.x. An exception
    becomes a result with `isError` with `@call_tool()`, an error response with `on_call_tool=`.

    `notification_options` is the default of `create_initialization_options`; `fast_path=False`
    makes Python answer every method, for tests that compare.

    `options` are the engine's, by name: rate limits, time-outs, caps. Guard rails that are
    functions: `authorize` decides what each client may do and see, `audit` gets a record of
    each request (or is a path for JSON lines), `sanitize_result` may change each result before
    it is sent. With `error_detail="masked"` clients see only an id instead of the message of
    an unexpected exception; the log has both. See `mcpbolt.server.guarding`.
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
    def runs_itself(self) -> bool:
        """Whether a program has overridden `run`."""
        return getattr(self.run, "__func__", None) is not Server.run


# Kept to detect whether a program has patched the method.
OWN_CALL_TOOL: Any = Server.call_tool
