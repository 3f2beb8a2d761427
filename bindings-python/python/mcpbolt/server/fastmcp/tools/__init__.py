"""Tools of the high-level server."""

from .base import Tool
from .tool_manager import ToolManager

__all__ = ["Tool", "ToolManager"]
