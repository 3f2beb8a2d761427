"""Tools of the 2.x kind: what errors become.

The message of a `ToolError` or `ResourceError` is shown to the model, an `MCPError` becomes an
error response, and of other exceptions clients learn only that there was one.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, ClassVar

from ..._common.tools.base import BaseTool
from ..._common.tools.manager import BaseToolManager
from ...shared.exceptions import McpError
from .._exceptions import ResourceError, ToolError, words_of
from .exceptions import UnexpectedResourceError, UnexpectedToolError

if TYPE_CHECKING:
    from ..._common.context import BaseContext

__all__ = ["Tool", "ToolManager"]


class RefusedArguments(ToolError):
    """The arguments are invalid; the message says which and why."""


class Tool(BaseTool):
    """A registered tool of a server of the 2.x kind."""

    only_data: ClassVar[bool] = True

    def arguments_of(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Validate arguments and return those to call the function with.

        Args:
            arguments: The arguments by name.

        Raises:
            ToolError: The arguments are invalid.
        """
        from pydantic import ValidationError

        try:
            return self.fn_metadata.bind(arguments)
        except ValidationError as error:
            raise RefusedArguments(str(error)) from error

    async def run(
        self, arguments: dict[str, Any], context: BaseContext | None = None, convert_result: bool = False
    ) -> Any:
        """Call the tool.

        Args:
            arguments: The arguments by name.
            context: The context to pass to the function. Default: none.
            convert_result: Whether to convert the result to the content that clients get. Default:
                no.

        Raises:
            ToolError: The arguments are invalid, or the function raised it.
            UnexpectedToolError: The function failed in another way.
            MCPError: The function raised it.
        """
        from ..._engine.questions import is_question

        try:
            bound = self.arguments_of(arguments)
            if self.context_kwarg is not None:
                bound[self.context_kwarg] = context
            result = await self._called(bound, context)
            return self.fn_metadata.convert_result(result) if convert_result and not is_question(result) else result
        except RefusedArguments as error:
            raise failure_of(self.name, error) from error.__cause__
        except Exception as error:
            raise failure_of(self.name, error) from error


def failure_of(name: str, error: Exception) -> Exception:
    """The exception that callers get when a tool's function fails.

    Args:
        name: The tool's name.
        error: What the function raised.
    """
    if isinstance(error, McpError):
        return error
    if isinstance(error, (UnexpectedToolError, UnexpectedResourceError)):
        return UnexpectedToolError(f"Error executing tool {name}: {words_of(error)}")
    if isinstance(error, (ToolError, ResourceError)):
        return ToolError(f"Error executing tool {name}: {words_of(error)}")
    return UnexpectedToolError(f"Error executing tool {name}")


class ToolManager(BaseToolManager[Tool]):
    """The tools of a server of the 2.x kind."""

    tool_type: type[Tool] = Tool
    logger: ClassVar[logging.Logger] = logging.getLogger("mcp.server.mcpserver.tools.tool_manager")
