"""The arguments and results of a function, as models.

Owns: its place in the official package. Must not know: how it works.
"""

from ....._common.functions.models import ArgModelBase
from ....._common.functions.metadata import FuncMetadata, func_metadata

__all__ = ["ArgModelBase", "FuncMetadata", "func_metadata"]
