"""What a high-level server lets the engine answer, and the fast path to its tools.

Owns: snapshots of the registries, and tool calls without models in between. As soon as a
program overrides or patches something on that path, the normal path is taken.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from ..._engine import face
from ..._engine.context import request_ctx
from ..._engine.json import model_dict
from ..._engine.methods import LISTS, OWNERS
from ..._engine.protocol import METHODS
from .._error_responses import is_for_the_client, is_meant
from ..lowlevel._tool_results import answer_of, error_text
from .context import Context
from .exceptions import ToolError
from .tools import Tool, ToolManager
from .tools.tool_manager import OWN_CALL_TOOL

if TYPE_CHECKING:
    from ..lowlevel._handlers import Handler
    from .server import FastMCP

# Per method: the method of `FastMCP` that answers it.
ANSWERING = {name: METHODS[name].verb for name in (*LISTS, *OWNERS)}
_MANAGERS = {"tools": "_tool_manager", "prompts": "_prompt_manager", "resources": "_resource_manager"}
_PATCHABLE = ("list_tools", "call_tool", "get_tool", "list_prompts", "get_prompt", "list_resources",
              "list_templates", "get_resource")


class Provider:
    """The high-level server behind a low-level one."""

    # The classes for which the fast path is known to be right, unless a program patched them.
    manager_type: type[ToolManager] = ToolManager
    tool_type: type[Tool] = Tool
    original_run: Any = staticmethod(Tool.run)

    def __init__(self, mcp: FastMCP[Any], base: type[FastMCP[Any]]) -> None:
        self.mcp = mcp
        self.base = base
        self.handlers: dict[str, Handler] = {}
        # The tools for which the fast path is right, until something changes.
        self._direct: dict[str, Tool] = {}
        self._overridden = {
            method
            for method, name in ANSWERING.items()
            if getattr(type(mcp), name, None) is not getattr(base, name, None)
        }

    def answers(self, method: str) -> bool:
        """Whether the answers to a method depend on the registry alone."""
        if method in self._overridden or method not in self.handlers:
            return False
        table: Any = self.mcp._mcp_server.request_handlers  # pyright: ignore[reportPrivateUsage]
        if table.of(method) is not self.handlers[method]:
            return False
        manager = self._manager(method)
        return not any(name in manager.__dict__ for name in _PATCHABLE)

    def _manager(self, method: str) -> Any:
        return getattr(self.mcp, _MANAGERS[method.split("/")[0]])

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
            items = manager.definitions(kind)
            return [item if isinstance(item, dict) else model_dict(item) for item in items], False
        direct = not on_loop and self._is_direct() and not face.current.uses_anyio_threads
        rows: list[Any] = []
        for tool in self.mcp._tool_manager.list_tools():  # pyright: ignore[reportPrivateUsage]
            rows.append({"tool": tool.definition(), "worker": direct and self.is_blocking(tool)})
        return rows, any(row["worker"] for row in rows)

    def is_blocking(self, tool: Tool) -> bool:
        """Whether a tool runs on a worker thread."""
        if tool.is_async:
            return False
        return self.mcp.sync_in_thread if tool.run_in_thread is None else tool.run_in_thread

    # Calls

    def _is_direct(self) -> bool:
        return (
            self.answers("tools/call")
            and ToolManager.call_tool is OWN_CALL_TOOL
            and self.tool_type.run is self.original_run
            and type(self.mcp._tool_manager) is self.manager_type  # pyright: ignore[reportPrivateUsage]
        )

    def _tool(self, name: str) -> Tool | None:
        if ToolManager.call_tool is not OWN_CALL_TOOL or self.tool_type.run is not self.original_run:
            return None
        tool = self._direct.get(name)
        return self._find(name) if tool is None else tool

    def _find(self, name: str) -> Tool | None:
        if not self._is_direct():
            return None
        tool = self.mcp._tool_manager.get_tool(name)  # pyright: ignore[reportPrivateUsage]
        if tool is None or type(tool) is not self.tool_type or "run" in tool.__dict__:
            return None
        if tool._owner is not None:  # pyright: ignore[reportPrivateUsage]
            # Changes are noticed only for tools that belong to a registry.
            self._direct[name] = tool
        return tool

    def _bind(self, tool: Tool, arguments: dict[str, Any]) -> dict[str, Any]:
        bound = tool.fn_metadata.bind(arguments)
        if tool.context_kwarg is not None:
            bound[tool.context_kwarg] = self._context()
        return bound

    def _context(self) -> Any:
        return Context[Any, Any, Any](request_context=request_ctx.get(None), fastmcp=self.mcp)

    def _failed(
        self, error: Exception, name: str, arguments: dict[str, Any], tool: Tool | None = None
    ) -> str:
        """The answer to a call that raised. `tool` is given if the exception does not name it."""
        if is_for_the_client(error):
            raise error
        server = self.mcp._mcp_server  # pyright: ignore[reportPrivateUsage]
        if server.masked and not self._is_meant(error, name, arguments):
            from ..guarding import masked_words

            return error_text(masked_words(error, f"tool {name}"))
        return error_text(str(error) if tool is None else f"Error executing tool {tool.name}: {error}")

    def _is_meant(self, error: BaseException, name: str, arguments: dict[str, Any]) -> bool:
        """Whether a model may read an exception's message: it was written for the model, or
        describes what is wrong with the arguments.
        """
        if isinstance(error, ToolError) and error._wraps and error.__cause__ is not None:  # pyright: ignore[reportPrivateUsage]
            error = error.__cause__
        if is_meant(error):
            return True
        tool = self.mcp._tool_manager.get_tool(name)  # pyright: ignore[reportPrivateUsage]
        if tool is None or type(error).__name__ != "ValidationError":
            return False
        try:
            tool.fn_metadata.bind(arguments)
        except ValueError:
            return True
        return False

    def _text(self, tool: Tool, result: Any) -> Any:
        text = tool.fn_metadata.result_text(result)
        if text is not None:
            return text
        converted = tool.fn_metadata.convert_result(result)
        server = self.mcp._mcp_server  # pyright: ignore[reportPrivateUsage]
        return answer_of(server, tool.name, tool.output_schema, converted)

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
            return self._failed(error, name, arguments, tool)

    async def _the_long_way(self, name: str, arguments: dict[str, Any]) -> Any:
        try:
            results = await self.mcp.call_tool(name, arguments)
            tool = self.mcp._tool_manager.get_tool(name)  # pyright: ignore[reportPrivateUsage]
            schema = None if tool is None else tool.output_schema
            return answer_of(self.mcp._mcp_server, name, schema, results)  # pyright: ignore[reportPrivateUsage]
        except Exception as error:
            return self._failed(error, name, arguments)

    def call_sync(self, name: str, arguments: dict[str, Any]) -> Any:
        """Answer a tool call, on a worker thread."""
        tool = self._tool(name)
        if tool is None or tool.is_async:
            return self._on_loop(name, arguments)
        try:
            return self._text(tool, tool.fn(**self._bind(tool, arguments)))
        except Exception as error:
            return self._failed(error, name, arguments, tool)

    def _on_loop(self, name: str, arguments: dict[str, Any]) -> Any:
        # The registry changed after the engine had chosen a worker thread.
        live = request_ctx.get()
        loop: asyncio.AbstractEventLoop = live.host.driver.loop
        return asyncio.run_coroutine_threadsafe(self.call(name, arguments), loop).result()
