"""The fast path to tools of the 2.x kind."""

from __future__ import annotations

import logging
from collections.abc import Awaitable
from typing import Any, ClassVar, cast

from ..._common.provider import Provider
from ..._common.tools.base import BaseTool
from ..._common.tools.manager import BaseToolManager
from ..._engine.questions import is_question
from ...shared.exceptions import McpError
from .._exceptions import ToolError
from ..lowlevel._tool_results import answer_of, error_text
from .exceptions import UnexpectedToolError
from .tools import RefusedArguments, Tool, ToolManager, failure_of

logger = logging.getLogger("mcp.server.mcpserver.server")

INVALID_PARAMS = -32602


class ModernProvider(Provider):
    """A `Provider` with the error handling of 2.x."""

    manager_type: ClassVar[type[BaseToolManager[Any]]] = ToolManager
    tool_type: ClassVar[type[BaseTool]] = Tool
    original_call: ClassVar[Any] = staticmethod(ToolManager.call_tool)
    original_run: ClassVar[Any] = staticmethod(Tool.run)

    def _validated(self, tool: BaseTool, arguments: dict[str, Any]) -> dict[str, Any]:
        return cast("Tool", tool).arguments_of(arguments)

    def _text(self, tool: BaseTool, result: Any) -> Any:
        return result if is_question(result) else super()._text(tool, result)

    def _converted(self, tool: BaseTool, result: Any) -> Any:
        return tool.fn_metadata.converted(result)

    def _answer(self, name: str, schema: dict[str, Any] | None, results: Any) -> Any:
        return answer_of(self.parts.server(), name, schema, results, self.parts.models)

    async def _the_long_way(self, name: str, arguments: dict[str, Any]) -> Any:
        if self.tools.get_tool(name) is None and self.answers("tools/call"):
            return self._unknown(name)
        return await super()._the_long_way(name, arguments)

    def _call_tool(self, name: str, arguments: dict[str, Any]) -> Awaitable[Any]:
        called: Awaitable[Any] = cast("Any", self.mcp).call_tool(name, arguments, self.parts.context())
        return called

    def _unknown(self, name: str) -> str:
        if self.parts.server().unknown_tool == "error":
            raise McpError(INVALID_PARAMS, f"Unknown tool: {name}")
        words = f"Unknown tool: {name}"
        logger.info("Tool %r failed: %r", name, words)
        return error_text(words)

    def _failed(self, error: Exception, name: str, tool: BaseTool | None = None) -> str:
        shown = error if tool is None else failure_of(tool.name, error)
        if isinstance(shown, McpError):
            raise shown
        refused = _refused(error, whole=tool is None)
        if refused is not None:
            logger.info("Tool %r rejected arguments: %r", name, refused)
        elif isinstance(shown, ToolError) and not isinstance(shown, UnexpectedToolError):
            logger.info("Tool %r failed: %r", name, str(shown))
        elif self.parts.server().masked:
            from ..guarding import masked_words

            return error_text(masked_words(error, f"tool {name}"))
        else:
            if shown is not error:
                shown.__cause__ = error
            logger.error("Tool %r raised an unexpected exception", name, exc_info=shown)
        return error_text(str(shown))


def _refused(error: Exception, whole: bool) -> list[str] | None:
    """Which arguments were refused, without the values, which belong to the caller; `None` if
    something else failed. `whole` says that `error` is what `Tool.run` raised.
    """
    if not isinstance(error, ToolError if whole else RefusedArguments) or isinstance(error, UnexpectedToolError):
        return None
    from pydantic import ValidationError

    cause = error.__cause__
    if not isinstance(cause, ValidationError):
        return None
    return sorted({".".join(str(part) for part in one["loc"]) for one in cause.errors()})
