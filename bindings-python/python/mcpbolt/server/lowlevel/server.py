"""The low-level server: handlers by decorator, run on any pair of streams.

Owns: the registry of handlers and what they may return. Must not know: the engine; a
`ServerHost` puts one behind every `run`.
"""

from __future__ import annotations

import contextvars
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, cast

from ... import _mcpbolt
from ..._engine import face
from ..._engine.context import request_ctx as current_request
from ..._engine.methods import NOTIFICATIONS, REQUESTS
from ..._generics import Lenient
from ..._generics import TypeVar as DefaultTypeVar
from ...shared._names import look_at_tool_name
from .._middleware import Chain
from . import _tool_results
from ._by_hand import ByHand
from ._bymethod import ByMethod
from ._handlers import Handler, from_json, read_resource_result, wrapped
from ._http import Mountable
from ._table import HandlerTable
from .func_inspection import request_parameter
from .helper_types import ReadResourceContents

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from pydantic import AnyUrl

    from ... import types
    from ...shared.context import RequestContext
    from ...shared.message import SessionMessage
    from ..caching import CacheHint
    from ..context import ServerMiddleware, ServerRequestContext
    from ..guarding import Audit, Authorize, ErrorDetail, Guarding, SanitizeResult
    from ..models import InitializationOptions
    from ..request_state import RequestStateBoundary
    from ..session import ServerSession
    from ..subscriptions import ListenHandler, SubscriptionBus

    Context = ServerRequestContext[Any, Any]
    Page = types.PaginatedRequestParams | None

logger: logging.Logger = logging.getLogger("mcp.server.lowlevel.server")

LifespanResultT = DefaultTypeVar("LifespanResultT", default=Any)
RequestT = DefaultTypeVar("RequestT", default=Any)
F = TypeVar("F", bound=Callable[..., Any])
H = TypeVar("H", bound=Callable[[str], Any])

# The request that the running handler answers.
request_ctx: contextvars.ContextVar[RequestContext[ServerSession, Any, Any]] = current_request


class NotificationOptions:
    """Which changes of lists a server declares to notify clients of. Default: none."""

    def __init__(
        self, prompts_changed: bool = False, resources_changed: bool = False, tools_changed: bool = False
    ) -> None:
        self.prompts_changed = prompts_changed
        self.resources_changed = resources_changed
        self.tools_changed = tools_changed


@asynccontextmanager
async def lifespan(_: Server[Any, Any]) -> AsyncGenerator[dict[str, Any], None]:
    """The lifespan of a server that has none."""
    yield {}


def package_version() -> str:
    """The version that servers without one of their own show: that of this package."""
    given = face.current.version
    return str(getattr(_mcpbolt, "__version__", "unknown")) if given is None else given


class Server(Lenient, ByMethod[LifespanResultT], ByHand, Mountable, Generic[LifespanResultT, RequestT]):
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
        on_subscriptions_listen: ListenHandler | None = None,
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
        listen: ListenHandler | None = handlers.pop("on_subscriptions_listen")
        self.name = name
        self.title = title
        self.description = description
        self.version: str | None = version or None
        self.instructions = instructions
        self.website_url = website_url
        self.icons = icons
        self.lifespan = lifespan
        self.fast_path = fast_path
        self.notification_options: NotificationOptions = notification_options or NotificationOptions()
        # The answer to a call of an unknown tool: "result" with `isError`, or "error".
        self.unknown_tool: str = "result"
        self.options: dict[str, Any] = dict(options or {})
        # The program's own authorization, audit and filtering of results.
        self.guarding: Guarding | None = None
        if any(given is not None for given in (authorize, audit, sanitize_result, error_detail)):
            from ..guarding import Guarding

            self.guarding = Guarding(authorize, audit, sanitize_result, error_detail)
        # Seals `requestState` with the program's keys, if it has some.
        self.state_boundary: RequestStateBoundary | None = None
        self.hosts: list[Any] = []
        # The lists of a high-level server; see `ServerHost`.
        self.provider: Any = None
        self.subscription_hooks: dict[bool, list[Callable[[str], Any]]] = {True: [], False: []}
        self.input_checkers: dict[str, Any] = {}
        self.output_checkers: dict[str, Any] = {}
        self._tool_cache: dict[str, types.Tool] = {}
        table = HandlerTable(REQUESTS, self._changed)
        self._table = table
        # Programs read and write these as dictionaries, as in the official package.
        self.request_handlers: dict[type, Callable[..., Awaitable[types.ServerResult]]] = cast("Any", table)
        self.notification_handlers: dict[type, Callable[..., Awaitable[None]]] = cast(
            "Any", HandlerTable(NOTIFICATIONS, self._changed)
        )
        table.put("ping", Handler(_pong, builtin=True))
        self.cache_hints: dict[str, CacheHint] = {}
        if cache_hints:
            from ..caching import validated

            self.cache_hints = validated(cache_hints)
        self.get_tool_input_schema = get_tool_input_schema
        # Settings of extensions by identifier, sent in the capabilities.
        self.extensions: dict[str, dict[str, Any]] = {}
        # The bus on which the program publishes changes.
        self.bus: SubscriptionBus | None = listen.bus if listen else None
        # The middleware around every message, outermost first.
        self.middleware: list[ServerMiddleware] = Chain(self._middleware_changed)
        self._register(handlers)

    @property
    def masked(self) -> bool:
        """Whether clients do not see the messages of unexpected exceptions."""
        detail = self.guarding.error_detail if self.guarding is not None else None
        return (detail or self.options.get("error_detail")) == "masked"

    def _changed(self, method: str) -> None:
        if self.provider is not None:
            self.provider.forget()
        for host in list(self.hosts):
            host.handlers_changed(method)

    def _middleware_changed(self) -> None:
        for host in list(self.hosts):
            host.middleware_changed()

    def notify(self, change: Literal["tools", "prompts", "resources", "resource"], uri: str | None = None) -> None:
        """Notify all clients that want to know of a change: of a list, or of the resource with
        a URI. On any transport, in either era, from any thread.
        """
        for host in list(self.hosts):
            host.announce(change, uri)

    # What it sends about itself

    @property
    def shown_version(self) -> str:
        """The version that clients see."""
        return package_version() if self.version is None else self.version

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        """Make what clients are sent when a session opens: name, version, capabilities, …"""
        from ..models import InitializationOptions

        return InitializationOptions(
            server_name=self.name,
            server_version=self.shown_version,
            capabilities=self.get_capabilities(
                notification_options or self.notification_options, experimental_capabilities or {}
            ),
            instructions=self.instructions,
            website_url=self.website_url,
            icons=self.icons,
            title=self.title,
            description=self.description,
        )

    def get_capabilities(
        self,
        notification_options: NotificationOptions,
        experimental_capabilities: dict[str, dict[str, Any]],
    ) -> types.ServerCapabilities:
        """The capabilities that follow from the registered handlers."""
        from ... import types

        return types.ServerCapabilities.model_validate(
            self.capabilities(notification_options, experimental_capabilities)
        )

    def capabilities(self, told: NotificationOptions, experimental: dict[str, dict[str, Any]]) -> dict[str, Any]:
        """The same as `get_capabilities`, as JSON values."""
        has, tells = self._table.has, self.bus is not None
        found: dict[str, Any] = {"experimental": experimental} if experimental or face.current.api == 1 else {}
        if has("logging/setLevel"):
            found["logging"] = {}
        if has("prompts/list"):
            found["prompts"] = {"listChanged": told.prompts_changed or tells}
        if has("resources/list"):
            found["resources"] = {"subscribe": tells, "listChanged": told.resources_changed or tells}
        if has("tools/list"):
            found["tools"] = {"listChanged": told.tools_changed or tells}
        if has("completion/complete"):
            found["completions"] = {}
        if self.extensions:
            found["extensions"] = dict(self.extensions)
        return found

    @property
    def request_context(self) -> RequestContext[ServerSession, LifespanResultT, RequestT]:
        """The context of the request being answered.

        Raises:
            LookupError: No request is being answered here.
        """
        return request_ctx.get()

    # Handlers

    def list_prompts(self) -> Callable[[F], F]:
        """Decorator for a function that returns the list of prompts."""
        return self._lists("prompts/list", "prompts", "ListPromptsResult")

    def list_resources(self) -> Callable[[F], F]:
        """Decorator for a function that returns the list of resources."""
        return self._lists("resources/list", "resources", "ListResourcesResult")

    def list_resource_templates(self) -> Callable[[F], F]:
        """Decorator for a function that returns the list of resource templates."""
        return self._lists("resources/templates/list", "resourceTemplates", "ListResourceTemplatesResult")

    def list_tools(self) -> Callable[[F], F]:
        """Decorator for a function that returns the list of tools."""
        return self._lists("tools/list", "tools", "ListToolsResult")

    def _lists(self, method: str, member: str, result_type: str) -> Callable[[F], F]:
        def decorator(func: F) -> F:
            # The parameter that takes the request, cached after the first look.
            wanted: list[str | None] = []

            async def call(request: Any) -> Any:
                if not wanted:
                    wanted.append(request_parameter(func, type_name=REQUESTS[method]))
                if wanted[0] is None:
                    found: Any = await func()
                else:
                    found = await (func(**{wanted[0]: request}) if wanted[0] else func(request))
                kind = cast("Any", type(found))
                whole = hasattr(kind, "model_fields")
                if member == "tools":
                    self._remember(found.tools if whole else found, whole)
                return found if whole else from_json(result_type, {member: list(cast("Iterable[Any]", found))})

            self._table.put(method, Handler(call))
            return func

        return decorator

    def _remember(self, tools: Iterable[types.Tool], more: bool) -> None:
        if not more:
            self._tool_cache.clear()
        for tool in tools:
            look_at_tool_name(tool.name)
            self._tool_cache[tool.name] = tool

    async def get_tool_definition(self, name: str) -> types.Tool | None:
        """The definition of a tool as last listed; if it is unknown, the tools are listed."""
        if name not in self._tool_cache:
            handler = self._table.of("tools/list")
            if handler is not None:
                await handler(None)
        tool = self._tool_cache.get(name)
        if tool is None:
            logger.warning("Tool '%s' not listed, no validation will be performed", name)
        return tool

    # The name in the official package; libraries use it to recognize a server.
    _get_cached_tool_definition = get_tool_definition

    def get_prompt(self) -> Callable[[F], F]:
        """Decorator for a function of a name and arguments that returns a prompt."""
        return self._handles("prompts/get", lambda func, params: func(params.name, params.arguments))

    def read_resource(self) -> Callable[[F], F]:
        """Decorator for a function of a URI that returns the contents of a resource."""

        async def read(func: Callable[[AnyUrl], Awaitable[Any]], params: Any) -> Any:
            contents: str | bytes | Iterable[ReadResourceContents] = await func(params.uri)
            return read_resource_result(params.uri, contents)

        return self._handles("resources/read", read)

    def set_logging_level(self) -> Callable[[F], F]:
        """Decorator for a function that is called with the log level a client asks for.

        .. deprecated:: 2026-07-28
           logging, SEP-2577; earliest removal 2027-07-28. Write to stderr on stdio; use
           OpenTelemetry elsewhere.
        """
        return self._handles("logging/setLevel", lambda func, params: func(params.level))

    def subscribe_resource(self) -> Callable[[F], F]:
        """Decorator for a function that is called with the URI that a client subscribes to."""
        return self._handles("resources/subscribe", lambda func, params: func(params.uri))

    def unsubscribe_resource(self) -> Callable[[F], F]:
        """Decorator for a function that is called with the URI that a client unsubscribes from."""
        return self._handles("resources/unsubscribe", lambda func, params: func(params.uri))

    def completion(self) -> Callable[[F], F]:
        """Decorator for a function that completes arguments of prompts and templates."""

        async def complete(func: Callable[..., Awaitable[Any]], params: Any) -> Any:
            found = await func(params.ref, params.argument, params.context)
            return from_json("CompleteResult", {"completion": {"values": []} if found is None else found})

        return self._handles("completion/complete", complete)

    def _handles(
        self, method: str, call: Callable[[Callable[..., Awaitable[Any]], Any], Awaitable[Any]]
    ) -> Callable[[F], F]:
        def decorator(func: F) -> F:
            async def handle(request: Any) -> Any:
                return await call(func, request.params)

            self._table.put(method, Handler(handle))
            return func

        return decorator

    def call_tool(self, *, validate_input: bool = True) -> Callable[[F], F]:
        """Decorator for a function of a name and arguments that runs a tool.

        It returns content blocks, a dictionary (structured content), a tuple of both, or a
        whole `CallToolResult`. Arguments are validated with the tool's `inputSchema` unless
        `validate_input` is false, structured content with its `outputSchema`. An exception
        becomes a result with `isError`.
        """

        def decorator(func: F) -> F:
            async def call(name: str, arguments: dict[str, Any]) -> Any:
                return await _tool_results.answer(self, func, validate_input, name, arguments)

            async def handle(request: Any) -> Any:
                params = request.params
                # Models are returned unchanged, as a task is not a `CallToolResult`.
                answer = await _tool_results.answer(
                    self, func, validate_input, params.name, params.arguments or {}, whole=True
                )
                return from_json("CallToolResult", answer) if isinstance(answer, str) else answer

            self._table.put("tools/call", Handler(handle, tool=call))
            return func

        return decorator

    def progress_notification(self) -> Callable[[F], F]:
        """Decorator for a function that is called with progress reports of clients."""

        def decorator(func: F) -> F:
            async def handle(notification: types.ProgressNotification) -> None:
                params = notification.params
                await func(params.progressToken, params.progress, params.total, params.message)

            cast("HandlerTable", self.notification_handlers).put("notifications/progress", handle)
            return func

        return decorator

    # Subscriptions

    def on_subscribe(self, hook: H) -> H:
        """Decorator for a function that is called with a resource's URI when a client
        subscribes to it, in either era. The function may be async.
        """
        self.subscription_hooks[True].append(hook)
        return hook

    def on_unsubscribe(self, hook: H) -> H:
        """Decorator like `on_subscribe`, for the end of a subscription or of its connection."""
        self.subscription_hooks[False].append(hook)
        return hook

    def resource_updated(self, uri: AnyUrl | str) -> None:
        """Notify every client that subscribed to a resource that it changed."""
        for host in list(self.hosts):
            host.engine.announce("resource", str(uri))

    # Running

    async def run(
        self,
        read_stream: MemoryObjectReceiveStream[SessionMessage | Exception],
        write_stream: MemoryObjectSendStream[SessionMessage],
        initialization_options: InitializationOptions,
        raise_exceptions: bool = False,
        stateless: bool = False,
    ) -> None:
        """Serve one connection until its input ends.

        With the streams of `stdio_server` the engine itself reads and writes; messages of any
        other pair are carried between the streams and the engine.

        Args:
            read_stream: Messages from the client.
            write_stream: Takes messages to the client.
            initialization_options: What the server sends about itself.
            raise_exceptions: Whether an exception of a handler ends this call.
            stateless: Whether requests may come without a handshake.
        """
        from .._run import serve

        await serve(self, read_stream, write_stream, initialization_options, raise_exceptions, stateless)


# Kept to detect whether a program has patched the method.
OWN_CALL_TOOL: Any = Server.call_tool


async def _pong(_: Any) -> Any:
    return wrapped("EmptyResult", {})
