"""The fast path to tools of the 1.x kind.

Owns: the answers to calls that failed.
"""

from __future__ import annotations

from typing import Any, ClassVar

from ..._common.provider import Provider
from ..._common.tools.base import BaseTool
from ..._common.tools.manager import BaseToolManager
from .._error_responses import is_for_the_client, is_meant
from .._exceptions import ToolError, reason_of, words_of
from ..lowlevel._tool_results import error_text
from .tools.base import Tool
from .tools.tool_manager import OWN_CALL_TOOL, ToolManager


class PlainProvider(Provider):
    """A `Provider` with the error handling of 1.x."""

    manager_type: ClassVar[type[BaseToolManager[Any]]] = ToolManager
    tool_type: ClassVar[type[BaseTool]] = Tool
    original_call: ClassVar[Any] = staticmethod(OWN_CALL_TOOL)
    original_run: ClassVar[Any] = staticmethod(Tool.run)

    def _validated(self, tool: BaseTool, arguments: dict[str, Any]) -> dict[str, Any]:
        try:
            return tool.fn_metadata.bind(arguments)
        except Exception as error:
            raise _RefusedArguments(str(error)) from error

    def _failed(self, error: Exception, name: str, tool: BaseTool | None = None) -> str:
        if is_for_the_client(error):
            raise error
        if self.parts.server().masked and not _may_be_read(error):
            from ..guarding import masked_words

            return error_text(masked_words(error, f"tool {name}"))
        words = words_of(error)
        return error_text(words if tool is None else f"Error executing tool {tool.name}: {words}")


class _RefusedArguments(Exception):
    """Arguments do not fit; the message says which and why."""


def _may_be_read(error: Exception) -> bool:
    """Whether a model may read an exception's message: it was written for the model, or
    describes what is wrong with the arguments.
    """
    if isinstance(error, _RefusedArguments) or (isinstance(error, ToolError) and error.refuses_arguments):
        return True
    return is_meant(reason_of(error))
