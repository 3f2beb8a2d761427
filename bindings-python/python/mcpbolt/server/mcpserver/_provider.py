"""The fast path to tools of the 2.x kind."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, cast

from ..._engine.context import request_ctx
from ..._engine.questions import is_question
from ...shared.exceptions import McpError
from .._exceptions import ToolError
from ..fastmcp._provider import Provider
from ..fastmcp.tools import Tool as PlainTool
from ..fastmcp.tools import ToolManager as PlainToolManager
from ..lowlevel._tool_results import error_text
from .context import Context
from .exceptions import UnexpectedToolError
from .tools import RefusedArguments, Tool, ToolManager, failure_of

if TYPE_CHECKING:
    from .server import MCPServer

logger = logging.getLogger("mcp.server.mcpserver.server")

INVALID_PARAMS = -32602


class ModernProvider(Provider):
    """A `Provider` with the error handling of 2.x."""

    manager_type: type[PlainToolManager] = ToolManager
    tool_type: type[PlainTool] = Tool
    original_run: Any = staticmethod(Tool.run)

    def _context(self) -> Any:
        server = cast("MCPServer[Any]", self.mcp)
        return Context[Any, Any](request_context=request_ctx.get(None), fastmcp=server)

    def _bind(self, tool: PlainTool, arguments: dict[str, Any]) -> dict[str, Any]:
        bound = cast("Tool", tool).arguments_of(arguments)
        if tool.context_kwarg is not None:
            bound[tool.context_kwarg] = self._context()
        return bound

    def _text(self, tool: PlainTool, result: Any) -> Any:
        return result if is_question(result) else super()._text(tool, result)

    async def _the_long_way(self, name: str, arguments: dict[str, Any]) -> Any:
        if self.mcp._tool_manager.get_tool(name) is None and self.answers("tools/call"):  # pyright: ignore
            return self._unknown(name)
        return await super()._the_long_way(name, arguments)

    def _unknown(self, name: str) -> str:
        if self.mcp._mcp_server.unknown_tool == "error":  # pyright: ignore[reportPrivateUsage]
            raise McpError(INVALID_PARAMS, f"Unknown tool: {name}")
        return error_text(f"Unknown tool: {name}")

    def _failed(
        self, error: Exception, name: str, arguments: dict[str, Any], tool: PlainTool | None = None
    ) -> str:
        shown = error if tool is None else failure_of(tool.name, error)
        if isinstance(shown, McpError):
            raise shown
        if isinstance(error, RefusedArguments):
            # Without the values, which belong to the caller.
            logger.info("Arguments were refused: %s", tool.name if tool is not None else "")
        elif isinstance(shown, ToolError) and not isinstance(shown, UnexpectedToolError):
            logger.info("A tool failed: %r", str(shown))
        elif self.mcp._mcp_server.masked:  # pyright: ignore[reportPrivateUsage]
            from ..guarding import masked_words

            return error_text(masked_words(error, f"tool {name}"))
        else:
            logger.error("Tool %r raised an unexpected exception", name, exc_info=error)
        return error_text(str(shown))
