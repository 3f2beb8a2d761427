"""How a function of 2.x is described and called.

Owns: that its results are models of 2.x. Must not know: signatures.
"""

from __future__ import annotations

from typing import ClassVar

from ....._common.functions.metadata import FuncMetadata as _FuncMetadata
from ....._naming import found_in
from .._models import OwnModels


@found_in("v2.server.mcpserver.utilities.func_metadata")
class FuncMetadata(OwnModels, _FuncMetadata):
    """How a function is described and called. Models are made on first use.

    Args:
        arg_model: The model that validates arguments. Default: made from the function on first use.
        output_schema: The JSON Schema of results. Default: made from `output_model`, or none.
        output_model: The model that validates results. Default: made from the function on first
            use.
        wrap_output: Whether a result that is not an object, such as a number, is wrapped in an object
            with the member `result`. Default: no.
    """

    _of_2: ClassVar[bool] = True

