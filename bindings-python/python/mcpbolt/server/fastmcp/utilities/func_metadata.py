"""What the signature of a function means. The base class of models of arguments is imported on
first use.
"""

from typing import TYPE_CHECKING, Any

from ...._common.functions.metadata import FuncMetadata, func_metadata

if TYPE_CHECKING:
    from ...._common.functions.models import ArgModelBase, StrictJsonSchema

__all__ = ["ArgModelBase", "FuncMetadata", "StrictJsonSchema", "func_metadata"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from ...._common.functions import models

        return getattr(models, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
