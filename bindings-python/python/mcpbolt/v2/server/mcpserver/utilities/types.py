"""Pictures and sound as results.

Owns: its place in the official package. Must not know: how it works.
"""

from .....server.mcpserver.utilities.types import Audio, Image

__all__ = ["Audio", "Image"]
