"""One tool.

Owns: that its results and what it says of itself are models of 2.x. Must not know: how it is called.
"""

from __future__ import annotations

from typing import ClassVar

from ....._common.functions.metadata import FuncMetadata as AnyMetadata
from .....server.mcpserver.tools import Tool as _Tool
from .._models import OwnModels
from ..utilities._metadata import FuncMetadata

__all__ = ["Tool"]


class Tool(OwnModels, _Tool):
    """A registered tool, as `Tool.from_function` makes it."""

    metadata_type: ClassVar[type[AnyMetadata]] = FuncMetadata
