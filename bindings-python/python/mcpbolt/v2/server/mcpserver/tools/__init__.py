"""Tools of the high-level server.

Owns: its place in the official package. Must not know: how it works.
"""

from .base import Tool
from .tool_manager import ToolManager

__all__ = ["Tool", "ToolManager"]
