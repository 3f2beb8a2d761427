"""What resources have in common.

Owns: its place in the official package. Must not know: how it works.
"""

from .....server.mcpserver.resources import Resource

__all__ = ["Resource"]
