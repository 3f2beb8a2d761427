"""All tools.

Owns: its place in the official package. Must not know: how it works.
"""

from .....server.mcpserver.tools import ToolManager

__all__ = ["ToolManager"]
