"""Tools of the high-level server.

Owns: its place in the official package. Must not know: how it works.
"""

from .....server.mcpserver.tools import Tool, ToolManager

__all__ = ["Tool", "ToolManager"]
