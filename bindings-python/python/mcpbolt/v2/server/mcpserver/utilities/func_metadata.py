"""The arguments and results of a function, as models.

Owns: which results have a structure if the program does not say. Must not know: how the models
are made.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaWarningKind

from ....._common.functions.metadata import func_metadata as _func_metadata
from ....._common.functions.models import ArgModelBase
from ._metadata import FuncMetadata

__all__ = ["ArgModelBase", "FuncMetadata", "StrictJsonSchema", "func_metadata"]


class StrictJsonSchema(GenerateJsonSchema):
    """Makes schemas, and raises where pydantic would warn."""

    def emit_warning(self, kind: JsonSchemaWarningKind, detail: str) -> NoReturn:
        """Raise.

        Args:
            kind: What is missing from the description.
            detail: The type at fault.

        Raises:
            ValueError: Always.
        """
        raise ValueError(f"JSON schema warning: {kind} - {detail}")


def func_metadata(
    func: Callable[..., Any], skip_names: Sequence[str] = (), structured_output: bool | None = None
) -> FuncMetadata:
    """Analyse the signature of a function.

    Args:
        func: The function.
        skip_names: Parameters that callers do not give.
        structured_output: Whether results have structured content: true requires it, false
            forbids it, `None` decides by the return annotation. Content blocks then have none.

    Raises:
        InvalidSignature: The signature cannot be described to clients.
    """
    found = _func_metadata(func, skip_names, structured_output, only_data=True, kind=FuncMetadata)
    assert isinstance(found, FuncMetadata)
    return found
