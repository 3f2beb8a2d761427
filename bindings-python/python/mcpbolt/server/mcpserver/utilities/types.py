"""Images and audio as results of tools."""

from ...fastmcp.utilities.types import Audio, Image

__all__ = ["Audio", "Image"]
