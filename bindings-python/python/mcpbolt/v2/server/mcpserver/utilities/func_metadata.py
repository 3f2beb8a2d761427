"""The arguments and results of a function, as models.

Owns: its place in the official package. Must not know: how it works.
"""

from .....server.fastmcp.utilities._models import ArgModelBase
from .....server.fastmcp.utilities.func_metadata import FuncMetadata, func_metadata

__all__ = ["ArgModelBase", "FuncMetadata", "func_metadata"]
