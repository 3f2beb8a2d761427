"""A function as a tool.

Owns: calling it as 1.x does, and the error that a failure becomes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...._common.tools.base import BaseTool
from ..._error_responses import is_for_the_client
from ..._exceptions import failed_tool

if TYPE_CHECKING:
    from ...._common.context import BaseContext


class Tool(BaseTool):
    """A registered tool: its definition for clients, and the function behind it."""

    async def run(
        self, arguments: dict[str, Any], context: BaseContext | None = None, convert_result: bool = False
    ) -> Any:
        """Call the tool.

        Args:
            arguments: The arguments by name, as a client sends them.
            context: The context to pass to the function. Default: none.
            convert_result: Whether to convert the result to content blocks. Default: no.

        Raises:
            ToolError: The arguments are invalid, or the function failed.
        """
        try:
            bound = self.fn_metadata.bind(arguments)
        except Exception as error:
            raise failed_tool(self.name, error, refuses=True) from error
        if self.context_kwarg is not None:
            bound[self.context_kwarg] = context
        try:
            result = await self._called(bound, context)
            return self.fn_metadata.convert_result(result) if convert_result else result
        except Exception as error:
            if is_for_the_client(error):
                raise
            raise failed_tool(self.name, error) from error
