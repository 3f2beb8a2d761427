"""Handlers by decorator, as 1.x has them.

Owns: what a function may return for each method. Must not know: the engine, and what else a
server is made of.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ..._engine.methods import REQUESTS
from ...shared._names import look_at_tool_name
from . import _tool_results
from ._handlers import Handler, from_json, read_resource_result
from ._table import HandlerTable
from .func_inspection import request_parameter
from .helper_types import ReadResourceContents

if TYPE_CHECKING:
    from pydantic import AnyUrl

    from ... import types

logger: logging.Logger = logging.getLogger("mcp.server.lowlevel.server")

F = TypeVar("F", bound=Callable[..., Any])


class Decorators:
    """The part of `Server` that takes handlers by decorator."""

    if TYPE_CHECKING:
        _table: HandlerTable
        _tool_cache: dict[str, types.Tool]
        notification_handlers: dict[type, Callable[..., Awaitable[None]]]

    def list_prompts(self) -> Callable[[F], F]:
        """Decorator for an async function that returns the list of prompts, or a whole
        `ListPromptsResult`. It may take the request as its parameter.

        Example:
            ```python
            @server.list_prompts()
            async def list_prompts() -> list[types.Prompt]:
                return [types.Prompt(name="greet", description="A greeting.")]
            ```
        """
        return self._lists("prompts/list", "prompts", "ListPromptsResult")

    def list_resources(self) -> Callable[[F], F]:
        """Decorator for an async function that returns the list of resources, or a whole
        `ListResourcesResult`. It may take the request as its parameter.

        Example:
            ```python
            @server.list_resources()
            async def list_resources() -> list[types.Resource]:
                return [types.Resource(uri="note://today", name="today")]
            ```
        """
        return self._lists("resources/list", "resources", "ListResourcesResult")

    def list_resource_templates(self) -> Callable[[F], F]:
        """Decorator for an async function that returns the list of resource templates, or a whole
        `ListResourceTemplatesResult`. It may take the request as its parameter.

        Example:
            ```python
            @server.list_resource_templates()
            async def list_templates() -> list[types.ResourceTemplate]:
                return [types.ResourceTemplate(uriTemplate="note://{day}", name="day")]
            ```
        """
        return self._lists("resources/templates/list", "resourceTemplates", "ListResourceTemplatesResult")

    def list_tools(self) -> Callable[[F], F]:
        """Decorator for an async function that returns the list of tools, or a whole
        `ListToolsResult`. It may take the request as its parameter.

        Example:
            ```python
            @server.list_tools()
            async def list_tools() -> list[types.Tool]:
                return [types.Tool(name="now", description="The time.", inputSchema={"type": "object"})]
            ```
        """
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
        """The definition of a tool as it was last listed; `None` if it is not listed. The tools are
        listed if the name is not known yet.

        Args:
            name: The tool's name.
        """
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
        """Decorator for an async function that gets the name of a prompt and its arguments, and
        returns a `GetPromptResult`.

        Example:
            ```python
            @server.get_prompt()
            async def get_prompt(name: str, arguments: dict[str, str] | None) -> types.GetPromptResult:
                text = types.TextContent(type="text", text="Say hello.")
                return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=text)])
            ```
        """
        return self._handles("prompts/get", lambda func, params: func(params.name, params.arguments))

    def read_resource(self) -> Callable[[F], F]:
        """Decorator for an async function that gets a URI and returns the contents of the resource:
        text, bytes, or `ReadResourceContents`, which also have MIME types.

        Example:
            ```python
            @server.read_resource()
            async def read_resource(uri) -> list[ReadResourceContents]:
                return [ReadResourceContents(content=f"the note of {uri}", mime_type="text/plain")]
            ```
        """

        async def read(func: Callable[[AnyUrl], Awaitable[Any]], params: Any) -> Any:
            contents: str | bytes | Iterable[ReadResourceContents] = await func(params.uri)
            return read_resource_result(params.uri, contents)

        return self._handles("resources/read", read)

    def set_logging_level(self) -> Callable[[F], F]:
        """Decorator for an async function that is called with the lowest level of log messages that a
        client wants.

        Example:
            ```python
            @server.set_logging_level()
            async def set_level(level: types.LoggingLevel) -> None:
                logging.getLogger("example").setLevel(level.upper())
            ```

        .. deprecated:: 2026-07-28
           logging, SEP-2577; earliest removal 2027-07-28. Write to stderr on stdio; use
           OpenTelemetry elsewhere.
        """
        return self._handles("logging/setLevel", lambda func, params: func(params.level))

    def subscribe_resource(self) -> Callable[[F], F]:
        """Decorator for an async function that is called with the URI that a client of a session (up
        to 2025-11-25) subscribes to.

        Example:
            ```python
            @server.subscribe_resource()
            async def subscribed(uri) -> None:
                print(f"somebody watches {uri}", file=sys.stderr)
            ```
        """
        return self._handles("resources/subscribe", lambda func, params: func(params.uri))

    def unsubscribe_resource(self) -> Callable[[F], F]:
        """Decorator for an async function that is called with the URI that a client of a session (up
        to 2025-11-25) unsubscribes from.

        Example:
            ```python
            @server.unsubscribe_resource()
            async def unsubscribed(uri) -> None:
                print(f"one watcher less of {uri}", file=sys.stderr)
            ```
        """
        return self._handles("resources/unsubscribe", lambda func, params: func(params.uri))

    def completion(self) -> Callable[[F], F]:
        """Decorator for an async function that completes arguments of prompts and resource templates.

        It gets the reference to the prompt or template, the argument with the text so far, and the
        values of other arguments if the client sent them. It returns a `Completion`, or `None` for
        no proposals.

        Example:
            ```python
            @server.completion()
            async def complete(ref, argument, context) -> types.Completion:
                return types.Completion(values=["Paris", "Porto"])
            ```
        """

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
        """Decorator for an async function that gets the name of a tool and its arguments, and
        runs the tool.

        It returns content blocks, a dictionary (structured content), a tuple of both, or a whole
        `CallToolResult`. Structured content is validated with the tool's `outputSchema`. An
        exception becomes a result with `isError` and the exception's message.

        Args:
            validate_input: Whether arguments are validated with the tool's `inputSchema` before the
                function is called. Default: yes.

        Example:
            ```python
            @server.call_tool()
            async def call_tool(name: str, arguments: dict) -> list[types.ContentBlock]:
                return [types.TextContent(type="text", text=f"{name} was called")]
            ```
        """

        def decorator(func: F) -> F:
            async def call(name: str, arguments: dict[str, Any]) -> Any:
                return await _tool_results.answer(cast("Any", self), func, validate_input, name, arguments)

            async def handle(request: Any) -> Any:
                params = request.params
                # Models are returned unchanged, as a task is not a `CallToolResult`.
                answer = await _tool_results.answer(
                    cast("Any", self), func, validate_input, params.name, params.arguments or {}, whole=True
                )
                return from_json("CallToolResult", answer) if isinstance(answer, str) else answer

            self._table.put("tools/call", Handler(handle, tool=call))
            return func

        return decorator

    def progress_notification(self) -> Callable[[F], F]:
        """Decorator for an async function that is called when a client reports progress on a request
        of this server.

        Example:
            ```python
            @server.progress_notification()
            async def progress(token, progress: float, total: float | None, message: str | None) -> None:
                print(f"{token}: {progress} of {total}", file=sys.stderr)
            ```
        """

        def decorator(func: F) -> F:
            async def handle(notification: types.ProgressNotification) -> None:
                params = notification.params
                await func(params.progressToken, params.progress, params.total, params.message)

            cast("HandlerTable", self.notification_handlers).put("notifications/progress", handle)
            return func

        return decorator
