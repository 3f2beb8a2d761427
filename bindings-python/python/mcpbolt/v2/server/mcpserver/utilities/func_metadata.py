"""The arguments and results of a function, as models.

Owns: its place in the official package. Must not know: how it works.
"""

from typing import NoReturn

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaWarningKind

from ....._common.functions.metadata import FuncMetadata, func_metadata
from ....._common.functions.models import ArgModelBase

__all__ = ["ArgModelBase", "FuncMetadata", "StrictJsonSchema", "func_metadata"]


class StrictJsonSchema(GenerateJsonSchema):
    """Makes schemas, and raises where pydantic would warn."""

    def emit_warning(self, kind: JsonSchemaWarningKind, detail: str) -> NoReturn:
        """Raise.

        Raises:
            ValueError: Always.
        """
        raise ValueError(f"JSON schema warning: {kind} - {detail}")
