"""All tools.

Owns: which tools functions become. Must not know: how they are called.
"""

from __future__ import annotations

from .....server.mcpserver.tools import Tool as AnyTool
from .....server.mcpserver.tools import ToolManager as _ToolManager
from .base import Tool

__all__ = ["ToolManager"]


class ToolManager(_ToolManager):
    """The tools by name, in order of registration.

    Args:
        warn_on_duplicate_tools: Whether registering a name twice logs a warning; the first tool
            stays. Default: yes.
        tools: Tools to register from the start. Default: none.
        docstring_params: Whether descriptions of parameters are taken from docstrings. Default: no.
    """

    tool_type: type[AnyTool] = Tool
