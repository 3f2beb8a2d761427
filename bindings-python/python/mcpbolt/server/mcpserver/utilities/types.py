"""Images and audio as results of tools."""

from ...._common.functions.media import Audio, Image

__all__ = ["Audio", "Image"]
