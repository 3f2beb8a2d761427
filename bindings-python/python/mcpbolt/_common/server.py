"""The high-level server of both lines.

Owns: its registries, and the lists made from them. Must not know: the engine, or what a line
decides: the arguments of its constructor, its contexts, and what exceptions become.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from .._generics import TypeVar as DefaultTypeVar
from ..server.lowlevel.server import OWN_CALL_TOOL
from ..server.lowlevel.server import Server as LowLevelServer
from .functions.names import named
from .prompts.manager import BasePromptManager
from .prompts.prompting import Prompting
from .provider import ANSWERING, Parts, Provider
from .resources.deferring import can_wait
from .resources.manager import BaseResourceManager
from .serving import Serving, check_auth, verifier_of
from .settings import Settings
from .telling import Telling
from .tools.manager import BaseToolManager
from .tools.tasks import offer
from .tools.tooling import Tooling

if TYPE_CHECKING:
    from pydantic import AnyUrl

    from .. import types
    from .resources.base import Resource

LifespanResultT = DefaultTypeVar("LifespanResultT", default=Any)
F = TypeVar("F", bound=Callable[..., Any])

_MANAGERS = {"tools": "_tool_manager", "prompts": "_prompt_manager", "resources": "_resource_manager"}


class HighLevelServer(Serving, Telling, Prompting, Tooling, Generic[LifespanResultT]):
    """A server made of functions.

    Args:
        settings: How the server is served; may be changed until it runs.
        server: The low-level server behind it.
        managers: The registries of tools, resources and prompts.
        line: The class with the methods that programs may override.
        sync_in_thread: Whether tools, prompts and resources that are plain functions run on worker
            threads.
        auth_server_provider: Makes the server its own authorization server; `None` if it is not.
        token_verifier: Verifies bearer tokens; `None` for that of the provider, or none.
    """

    # Of a line: the class with its methods, which programs may override, and the fast path to its
    # tools.
    _provider_type: ClassVar[type[Provider]]

    def __init__(
        self,
        settings: Settings,
        server: LowLevelServer[Any, Any],
        managers: tuple[BaseToolManager[Any], BaseResourceManager[Any], BasePromptManager],
        line: type[HighLevelServer[Any]],
        *,
        sync_in_thread: bool,
        auth_server_provider: Any,
        token_verifier: Any,
    ) -> None:
        self.settings: Settings = settings
        self.sync_in_thread = sync_in_thread
        self.dependencies: list[str] = settings.dependencies
        self._mcp_server: LowLevelServer[Any, Any] = server
        self._tool_manager, self._resource_manager, self._prompt_manager = managers
        check_auth(settings.auth, auth_server_provider, token_verifier)
        self._auth_server_provider = auth_server_provider
        self._token_verifier = token_verifier or verifier_of(auth_server_provider)
        self._event_store: Any = None
        self._retry_interval: Any = None
        self._custom_starlette_routes: list[Any] = []
        self._session_manager: Any = None
        parts = Parts(
            lambda: self._mcp_server,
            lambda kind: getattr(self, _MANAGERS[kind]),
            self._new_context,
            lambda: self._models,
        )
        self._provider = self._provider_type(self, line, parts)
        self._setup_handlers()

    def _new_context(self) -> Any:
        """A context for the request that is being answered."""
        raise NotImplementedError

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
        for tool in self._tool_manager.list_tools():
            offer(server.options, tool.task)
        self._tool_manager.watch(partial(self._changed, "tools"))
        self._prompt_manager.watch(partial(self._changed, "prompts"))
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
        """The URL of the server's website; `None` without one."""
        return self._mcp_server.website_url

    @property
    def icons(self) -> list[types.Icon] | None:
        """The server's icons; `None` without any."""
        return self._mcp_server.icons

    # Answers

    @property
    def _models(self) -> Any:
        """The module of the models that programs get. Another line has others."""
        from .. import types

        return types

    async def list_tools(self) -> list[types.Tool]:
        """All tools, as clients see them."""
        kind: type[types.Tool] = self._models.Tool
        return [kind.model_validate(tool.definition()) for tool in self._tool_manager.list_tools()]

    async def list_resources(self) -> list[types.Resource]:
        """All resources, as clients see them, without templates."""
        from .resources.definitions import resource_definition

        kind: type[types.Resource] = self._models.Resource
        return [kind.model_validate(resource_definition(one)) for one in self._resource_manager.list_resources()]

    async def list_resource_templates(self) -> list[types.ResourceTemplate]:
        """All resource templates, as clients see them."""
        from .resources.definitions import template_definition

        kind: type[types.ResourceTemplate] = self._models.ResourceTemplate
        return [kind.model_validate(template_definition(one)) for one in self._resource_manager.list_templates()]

    async def list_prompts(self) -> list[types.Prompt]:
        """All prompts, as clients see them."""
        kind: type[types.Prompt] = self._models.Prompt
        return [kind.model_validate(prompt.definition()) for prompt in self._prompt_manager.list_prompts()]

    async def call_tool(self, name: str, arguments: dict[str, Any]) -> Any:
        """Call a tool.

        Args:
            name: The tool's name.
            arguments: The arguments by name.
        """
        raise NotImplementedError

    async def read_resource(self, uri: AnyUrl | str) -> Any:
        """Read a resource.

        Args:
            uri: The URI of the resource.
        """
        raise NotImplementedError

    async def get_prompt(self, name: str, arguments: dict[str, Any] | None = None) -> Any:
        """Get the messages of a prompt.

        Args:
            name: The prompt's name.
            arguments: The arguments by name, as texts. Default: none.
        """
        raise NotImplementedError

    # Registering

    def completion(self) -> Callable[[F], F]:
        """Decorator for the async function that completes arguments of prompts and resource
        templates.

        It gets the reference to the prompt or template, the argument with the text so far, and the
        values of other arguments if the client sent them. It returns a `Completion`, or `None` for
        no proposals.

        Example:
            ```python
            @mcp.completion()
            async def complete(ref, argument, context):
                cities = ["Paris", "Prague", "Porto"]
                return Completion(values=[city for city in cities if city.startswith(argument.value)])
            ```
        """
        return self._mcp_server.completion()

    def add_resource(self, resource: Resource) -> None:
        """Register a resource. If the URI is in use, the earlier one stays and a warning is
        logged.

        Args:
            resource: The resource.
        """
        self._resource_manager.add_resource(resource)

    def _register_resource(self, fn: Any, uri: str, more: dict[str, Any], templated: bool) -> None:
        if not more["name"]:
            named(fn.__name__)
        add = partial(self._add_template if templated else self._add_function, fn, uri, more)
        if can_wait(fn, uri, more, templated):
            self._resource_manager.defer(add, templated)
        else:
            self._resource_manager.register(add)

    def _add_template(self, fn: Any, uri: str, more: dict[str, Any]) -> None:
        self._resource_manager.add_template(fn, uri_template=uri, **more)

    def _add_function(self, fn: Any, uri: str, more: dict[str, Any]) -> None:
        from .resources.kinds import FunctionResource

        self.add_resource(FunctionResource.from_function(fn=fn, uri=uri, **more))
