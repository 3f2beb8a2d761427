"""What a high-level server lets the engine answer, and the fast path to its tools.

Owns: snapshots of the registries, and tool calls without models in between. As soon as a
program overrides or patches something on that path, the normal path is taken. Must not know:
what errors become; each line has a provider of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from .._engine import face
from .._engine.context import request_ctx
from .._engine.methods import LISTS, OWNERS
from .._engine.protocol import METHODS
from ..server.lowlevel._tool_results import answer_of
from .tools.base import BaseTool
from .tools.manager import BaseToolManager

if TYPE_CHECKING:
    from ..server.lowlevel._handlers import Handler
    from ..server.lowlevel.server import Server

    class Served(Protocol):
        """The high-level server, as programs see it."""

        sync_in_thread: bool

        def call_tool(self, name: str, arguments: dict[str, Any]) -> Awaitable[Any]:
            """Call a tool."""
            ...

# Per method: the method of the high-level server that answers it.
ANSWERING = {name: METHODS[name].verb for name in (*LISTS, *OWNERS)}
_PATCHABLE = ("list_tools", "call_tool", "get_tool", "list_prompts", "get_prompt", "list_resources",
              "list_templates", "get_resource")


class Parts:
    """What a high-level server is made of. Programs may replace any of it, so it is asked for."""

    def __init__(
        self,
        server: Callable[[], Server[Any, Any]],
        manager: Callable[[str], Any],
        context: Callable[[], Any],
        models: Callable[[], Any],
    ) -> None:
        # The low-level server; the manager of tools, prompts or resources; a context for the
        # request that is being answered; the module of the models that programs get.
        self.server, self.manager, self.context, self.models = server, manager, context, models


class Provider:
    """The high-level server behind a low-level one."""

    # The classes for which the fast path is known to be right, and what they have unless a
    # program patched them.
    manager_type: ClassVar[type[BaseToolManager[Any]]]
    tool_type: ClassVar[type[BaseTool]]
    original_call: ClassVar[Callable[..., Any]]
    original_run: ClassVar[Callable[..., Any]]

    def __init__(self, mcp: Served, base: type[Any], parts: Parts) -> None:
        self.mcp = mcp
        self.parts = parts
        self.handlers: dict[str, Handler] = {}
        # The tools for which the fast path is right, until something changes.
        self._direct: dict[str, BaseTool] = {}
        self._overridden = {
            method
            for method, name in ANSWERING.items()
            if getattr(type(mcp), name, None) is not getattr(base, name, None)
        }

    @property
    def tools(self) -> BaseToolManager[Any]:
        """The server's tools."""
        tools: BaseToolManager[Any] = self.parts.manager("tools")
        return tools

    def answers(self, method: str) -> bool:
        """Whether the answers to a method depend on the registry alone."""
        if method in self._overridden or method not in self.handlers:
            return False
        table: Any = self.parts.server().request_handlers
        if table.of(method) is not self.handlers[method]:
            return False
        manager = self._manager(method)
        return not any(name in manager.__dict__ for name in _PATCHABLE)

    def _manager(self, method: str) -> Any:
        return self.parts.manager(method.split("/")[0])

    def forget(self) -> None:
        """Called when something was registered, removed or patched."""
        self._direct.clear()

    # Snapshots

    def is_ready(self, kind: str) -> bool:
        """Whether a snapshot is cheap: nothing has to be loaded that clients may never ask for."""
        manager: Any = self._manager("resources/list" if kind == "resourceTemplates" else kind)
        return not getattr(manager, "is_deferred", False)

    def snapshot(self, kind: str, on_loop: bool = False) -> tuple[list[Any], bool]:
        """A list as clients see it, and whether it has tools for worker threads. With
        `on_loop` no tool is for worker threads.
        """
        if kind != "tools":
            manager = self._manager("resources/list" if kind == "resourceTemplates" else kind)
            return list(manager.definitions(kind)), False
        direct = not on_loop and self._is_direct() and not face.current.uses_anyio_threads
        rows: list[Any] = []
        for tool in self.tools.list_tools():
            row = {"tool": tool.definition(), "worker": direct and self.is_blocking(tool)}
            rows.append(row if tool.task is None else {**row, "task": tool.task})
        return rows, any(row["worker"] for row in rows)

    def scopes(self) -> dict[str, dict[str, list[str]]]:
        """The scopes that tokens need, as the engine's snapshot `scopes` has them."""
        needs = {tool.name: tool.scopes for tool in self.tools.list_tools() if tool.scopes}
        return {"tools": needs} if needs else {}

    def is_blocking(self, tool: BaseTool) -> bool:
        """Whether a tool runs on a worker thread."""
        if tool.is_async:
            return False
        return self.mcp.sync_in_thread if tool.run_in_thread is None else tool.run_in_thread

    # Calls

    def _is_direct(self) -> bool:
        return self.answers("tools/call") and self._is_original() and type(self.tools) is self.manager_type

    def _is_original(self) -> bool:
        return (
            self.manager_type.call_tool is self.original_call
            and self.tool_type.run is self.original_run
        )

    def _tool(self, name: str) -> BaseTool | None:
        if not self._is_original():
            return None
        tool = self._direct.get(name)
        return self._find(name) if tool is None else tool

    def _find(self, name: str) -> BaseTool | None:
        if not self._is_direct():
            return None
        tool = self.tools.get_tool(name)
        if tool is None or type(tool) is not self.tool_type or "run" in tool.__dict__:
            return None
        if tool.is_registered:
            # Changes are noticed only for tools that belong to a registry.
            self._direct[name] = tool
        return tool

    def _bind(self, tool: BaseTool, arguments: dict[str, Any]) -> dict[str, Any]:
        bound = self._validated(tool, arguments)
        if tool.context_kwarg is not None:
            bound[tool.context_kwarg] = self.parts.context()
        return bound

    def _validated(self, tool: BaseTool, arguments: dict[str, Any]) -> dict[str, Any]:
        """The arguments for a tool's function.

        Raises:
            Exception: They are refused, in a way that `_failed` knows.
        """
        raise NotImplementedError

    def _failed(self, error: Exception, name: str, tool: BaseTool | None = None) -> str:
        """The answer to a call that raised. `tool` is given if the exception does not name it."""
        raise NotImplementedError

    def _text(self, tool: BaseTool, result: Any) -> Any:
        text = tool.fn_metadata.result_text(result)
        if text is not None:
            return text
        return self._answer(tool.name, tool.output_schema, self._converted(tool, result))

    def _answer(self, name: str, schema: dict[str, Any] | None, results: Any) -> Any:
        """What `answer_of` makes of results."""
        return answer_of(self.parts.server(), name, schema, results)

    def _converted(self, tool: BaseTool, result: Any) -> Any:
        """A result in the form that `answer_of` takes."""
        return tool.fn_metadata.convert_result(result)

    async def call(self, name: str, arguments: dict[str, Any]) -> Any:
        """Answer a tool call, on the loop."""
        tool = self._tool(name)
        if tool is None or self.is_blocking(tool):
            return await self._the_long_way(name, arguments)
        try:
            bound = self._bind(tool, arguments)
            result = tool.fn(**bound)
            return self._text(tool, await result if tool.is_async else result)
        except Exception as error:
            return self._failed(error, name, tool)

    async def _the_long_way(self, name: str, arguments: dict[str, Any]) -> Any:
        try:
            results = await self._call_tool(name, arguments)
            tool = self.tools.get_tool(name)
            schema = None if tool is None else tool.output_schema
            return self._answer(name, schema, results)
        except Exception as error:
            return self._failed(error, name)

    def _call_tool(self, name: str, arguments: dict[str, Any]) -> Awaitable[Any]:
        """Call a tool by the method that programs override."""
        return self.mcp.call_tool(name, arguments)

    def call_sync(self, name: str, arguments: dict[str, Any]) -> Any:
        """Answer a tool call, on a worker thread."""
        tool = self._tool(name)
        if tool is None or tool.is_async:
            return self._on_loop(name, arguments)
        try:
            return self._text(tool, tool.fn(**self._bind(tool, arguments)))
        except Exception as error:
            return self._failed(error, name, tool)

    def _on_loop(self, name: str, arguments: dict[str, Any]) -> Any:
        # The registry changed after the engine had chosen a worker thread.
        live = request_ctx.get()
        loop: asyncio.AbstractEventLoop = live.host.driver.loop
        return asyncio.run_coroutine_threadsafe(self.call(name, arguments), loop).result()
