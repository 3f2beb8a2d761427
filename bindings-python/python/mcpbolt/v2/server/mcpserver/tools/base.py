"""One tool.

Owns: its place in the official package. Must not know: how it works.
"""

from .....server.mcpserver.tools import Tool

__all__ = ["Tool"]
