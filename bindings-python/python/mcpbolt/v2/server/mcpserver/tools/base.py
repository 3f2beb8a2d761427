"""One tool.

Owns: that its results are models of 2.x. Must not know: how it is called.
"""

from __future__ import annotations

from typing import ClassVar

from ....._common.functions.metadata import FuncMetadata as AnyMetadata
from .....server.mcpserver.tools import Tool as _Tool
from ..utilities._metadata import FuncMetadata

__all__ = ["Tool"]


class Tool(_Tool):
    """A registered tool, as `Tool.from_function` makes it."""

    metadata_type: ClassVar[type[AnyMetadata]] = FuncMetadata
