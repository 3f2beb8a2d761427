"""The high-level server. Owns: its registries and the answers made from them. Must not know:
the engine, or how it is served; `_provider` and `_serving` do.
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Callable, Collection, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, cast, overload

from ..._engine.questions import is_question
from ..._generics import TypeVar as DefaultTypeVar
from .._error_responses import UnknownPromptError, keeps_its_code
from ..lowlevel.helper_types import ReadResourceContents
from ..lowlevel.server import OWN_CALL_TOOL, NotificationOptions
from ..lowlevel.server import Server as LowLevelServer
from ..lowlevel.server import lifespan as default_lifespan
from . import _serving
from ._checks import is_bare, is_template, refuse_bare
from ._prompting import Prompting
from ._provider import ANSWERING, Provider
from ._serving import Serving
from ._telling import Telling
from .context import Context
from .exceptions import InvalidSignature, ResourceError
from .prompts import PromptManager
from .resources.resource_manager import ResourceManager
from .settings import Settings
from .tools import Tool, ToolManager
from .utilities.logging import configure_logging, get_logger

if TYPE_CHECKING:
    from logging import Logger

    from pydantic import AnyUrl

    from ... import types
    from ...types import Annotations, AnyFunction, ContentBlock, GetPromptResult, Icon, ToolAnnotations
    from .._resource_security import ResourceSecurity
    from ..guarding import Audit, Authorize, ErrorDetail, SanitizeResult
    from ..streamable_http_manager import StreamableHTTPSessionManager
    from .resources import Resource

__all__ = ["Context", "FastMCP", "Settings"]

logger: Logger = get_logger("mcp.server.fastmcp.server")

LifespanResultT = DefaultTypeVar("LifespanResultT", default=Any)
F = TypeVar("F", bound=Callable[..., Any])
LogLevel = Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]


class FastMCP(Serving, Telling, Prompting, Generic[LifespanResultT]):
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
        self.settings: Settings = Settings(
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
        self.sync_in_thread = sync_in_thread
        self.dependencies: list[str] = self.settings.dependencies
        self._mcp_server: LowLevelServer[Any, Any] = LowLevelServer(
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
        self._tool_manager = self._manager_type(warn_on_duplicate_tools, tools=tools, docstring_params=docstring_params)
        self._resource_manager = self._resources_type(warn_on_duplicate_resources, resource_security)
        self._prompt_manager = PromptManager(warn_on_duplicate_prompts)
        _serving.check_auth(auth, auth_server_provider, token_verifier)
        self._auth_server_provider = auth_server_provider
        self._token_verifier = token_verifier or _serving.verifier_of(auth_server_provider)
        self._event_store: Any = event_store
        self._retry_interval: Any = retry_interval
        self._custom_starlette_routes: list[Any] = []
        self._session_manager: Any = None
        self._provider = self._new_provider()
        self._setup_handlers()
        if log_level is not None:
            configure_logging(log_level)

    _manager_type = ToolManager
    _resources_type = ResourceManager

    def _new_provider(self) -> Provider:
        return Provider(self, FastMCP)

    @asynccontextmanager
    async def _lifespan(self, _: Any) -> AsyncGenerator[Any, None]:
        async with self.settings.lifespan(self) as context:
            yield context

    def _setup_handlers(self) -> None:
        server = self._mcp_server
        server.list_tools()(self.list_tools)
        server.call_tool(validate_input=False)(self.call_tool)
        server.list_resources()(self.list_resources)
        server.read_resource()(self.read_resource)
        server.list_prompts()(self.list_prompts)
        server.get_prompt()(self.get_prompt)
        server.list_resource_templates()(self.list_resource_templates)
        table: Any = server.request_handlers
        self._provider.handlers = {method: table.of(method) for method in ANSWERING if table.has(method)}
        if type(server).call_tool is not OWN_CALL_TOOL:
            # A handler that a program registered replaces the fast path to the tools.
            del self._provider.handlers["tools/call"]
        if self._provider.answers("tools/call"):
            table.of("tools/call").tool = self._provider.call
        server.provider = self._provider
        self._tool_manager._registry.changed = partial(self._changed, "tools")  # pyright: ignore
        self._prompt_manager._prompts.changed = partial(self._changed, "prompts")  # pyright: ignore
        self._resource_manager.watch(
            partial(self._changed, "resources"), partial(self._changed, "resourceTemplates")
        )

    def _changed(self, kind: str) -> None:
        self._provider.forget()
        for host in list(self._mcp_server.hosts):
            host.registry_changed(kind, told=not self._resource_manager.is_loading)

    # About the server

    @property
    def name(self) -> str:
        """The server's name, as clients see it."""
        return self._mcp_server.name

    @property
    def instructions(self) -> str | None:
        """The server's instructions for a language model; `None` without any."""
        return self._mcp_server.instructions

    @property
    def website_url(self) -> str | None:
        """The URL of a page about the server, if any."""
        return self._mcp_server.website_url

    @property
    def icons(self) -> list[Icon] | None:
        """The server's icons."""
        return self._mcp_server.icons

    def get_context(self) -> Context[Any, LifespanResultT, Any]:
        """The context of the request being answered; outside of one it has no request data."""
        try:
            request_context: Any = self._mcp_server.request_context
        except LookupError:
            request_context = None
        return Context(request_context=request_context, fastmcp=self)

    # Answers

    async def list_tools(self) -> list[types.Tool]:
        """List all tools as clients see them."""
        from ...types import Tool as ToolType

        return [ToolType.model_validate(tool.definition()) for tool in self._tool_manager.list_tools()]

    async def call_tool(self, name: str, arguments: dict[str, Any]) -> Sequence[ContentBlock] | dict[str, Any]:
        """Call a tool. Returns content blocks, alone or together with structured content."""
        context = self.get_context()
        result: Sequence[ContentBlock] | dict[str, Any] = await self._tool_manager.call_tool(
            name, arguments, context=context, convert_result=True
        )
        return result

    async def list_resources(self) -> list[types.Resource]:
        """List all resources as clients see them."""
        from ._definitions import resource_definition

        return [resource_definition(resource) for resource in self._resource_manager.list_resources()]

    async def list_resource_templates(self) -> list[types.ResourceTemplate]:
        """List all resource templates as clients see them."""
        from ._definitions import template_definition

        return [template_definition(template) for template in self._resource_manager.list_templates()]

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

    async def list_prompts(self) -> list[types.Prompt]:
        """List all prompts as clients see them."""
        from ...types import Prompt as PromptType

        return [PromptType.model_validate(prompt.definition()) for prompt in self._prompt_manager.list_prompts()]

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

    # Tools

    def add_tool(
        self,
        fn: AnyFunction,
        name: str | None = None,
        title: str | None = None,
        description: str | None = None,
        annotations: ToolAnnotations | None = None,
        icons: list[Icon] | None = None,
        meta: dict[str, Any] | None = None,
        structured_output: bool | None = None,
        *,
        run_in_thread: bool | None = None,
        docstring_params: bool | None = None,
    ) -> None:
        """Register a function as a tool.

        Args:
            fn: The function. A parameter annotated with `Context` gets the request's context.
            name: The tool's name. Default: the name of the function.
            title: The name to show to people.
            description: What the tool does. Default: the function's docstring.
            annotations: Hints for clients about the tool's behaviour.
            icons: Icons for the tool.
            meta: The `_meta` of the tool.
            structured_output: Whether results have structured content: true requires it, false
                forbids it, `None` decides by the return annotation.
            run_in_thread: Whether a plain function runs on a thread. Default: as for the server.
            docstring_params: Whether descriptions of parameters are taken from the docstring.
        """
        try:
            self._tool_manager.add_tool(
                fn,
                name=name,
                title=title,
                description=description,
                annotations=annotations,
                icons=icons,
                meta=meta,
                structured_output=structured_output,
                run_in_thread=run_in_thread,
                docstring_params=docstring_params,
            )
        except InvalidSignature as error:
            # The error names the parameter at fault; our own frames would hide that.
            raise error.with_traceback(None) from error.__cause__

    def remove_tool(self, name: str) -> None:
        """Remove a tool.

        Raises:
            ToolError: There is no tool of that name.
        """
        self._tool_manager.remove_tool(name)

    @overload
    def tool(self, name: F, /) -> F: ...

    @overload
    def tool(
        self,
        name: str | None = None,
        title: str | None = None,
        description: str | None = None,
        annotations: ToolAnnotations | None = None,
        icons: list[Icon] | None = None,
        meta: dict[str, Any] | None = None,
        structured_output: bool | None = None,
        *,
        run_in_thread: bool | None = None,
        docstring_params: bool | None = None,
    ) -> Callable[[F], F]: ...

    def tool(
        self,
        name: Any = None,
        title: str | None = None,
        description: str | None = None,
        annotations: ToolAnnotations | None = None,
        icons: list[Icon] | None = None,
        meta: dict[str, Any] | None = None,
        structured_output: bool | None = None,
        *,
        run_in_thread: bool | None = None,
        docstring_params: bool | None = None,
    ) -> Any:
        """Decorator, with or without parentheses, that registers a tool; see `add_tool`."""
        if is_bare(name, "tool", "tool()"):
            self.add_tool(name)
            return name

        def decorator(fn: F) -> F:
            self.add_tool(
                fn,
                name=name,
                title=title,
                description=description,
                annotations=annotations,
                icons=icons,
                meta=meta,
                structured_output=structured_output,
                run_in_thread=run_in_thread,
                docstring_params=docstring_params,
            )
            return fn

        return decorator

    def completion(self) -> Callable[[F], F]:
        """Decorator for the function that completes arguments.

        It gets the reference to a prompt or template, the argument so far, and the values of
        the other arguments as far as known. It returns a `Completion` or `None`.
        """
        return self._mcp_server.completion()

    # Resources

    def add_resource(self, resource: Resource) -> None:
        """Register a resource. If the URI is in use, the earlier one stays and a warning is
        logged.
        """
        self._resource_manager.add_resource(resource)

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

    def _register_resource(self, fn: Any, uri: str, more: dict[str, Any], templated: bool) -> None:
        if not more["name"] and fn.__name__ == "<lambda>":
            raise ValueError("You must provide a name for lambda functions")
        add = partial(self._add_template if templated else self._add_function, fn, uri, more)
        if templated or re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*:.", uri):
            self._resource_manager.defer(add, templated)
        else:
            add()

    def _add_template(self, fn: Any, uri: str, more: dict[str, Any]) -> None:
        self._resource_manager.add_template(fn, uri_template=uri, **more)

    def _add_function(self, fn: Any, uri: str, more: dict[str, Any]) -> None:
        from .resources import FunctionResource

        self.add_resource(FunctionResource.from_function(fn=fn, uri=uri, **more))


class StreamableHTTPASGIApp:
    """A session manager as an ASGI application."""

    def __init__(self, session_manager: StreamableHTTPSessionManager) -> None:
        self.session_manager = session_manager

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self.session_manager.handle_request(scope, receive, send)
