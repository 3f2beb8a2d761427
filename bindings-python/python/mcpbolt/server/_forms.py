"""The schema of a form, as 2.x writes it: choices are allowed, and nothing is null.

Owns: which models can be a form there. Must not know: who is asked.
"""

from __future__ import annotations

from typing import Any, cast

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

_PLAIN = ("string", "number", "integer", "boolean")


class _Generator(GenerateJsonSchema):
    """Members that may be left out are not in `required`, instead of being null."""

    def nullable_schema(self, schema: Any) -> JsonSchemaValue:
        """The schema without null."""
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: Any) -> JsonSchemaValue:
        """The schema without a default that is null."""
        found = super().default_schema(schema)
        if found.get("default") is None:
            found.pop("default", None)
        return found


def rendered(schema: type[BaseModel]) -> dict[str, Any]:
    """The schema of a form.

    Raises:
        TypeError: The model has fields that a form cannot have.
    """
    found = schema.model_json_schema(schema_generator=_Generator)
    for name, field in cast("dict[str, dict[str, Any]]", found.get("properties", {})).items():
        if not _is_field(field):
            raise TypeError(
                f"Elicitation schema field {name!r} rendered as {field!r}, "
                "which is not a valid PrimitiveSchemaDefinition"
            )
    return found


def _is_field(field: dict[str, Any]) -> bool:
    if field.get("type") == "array":
        items: Any = field.get("items")
        return isinstance(items, dict) and ("enum" in items or "anyOf" in items)
    return field.get("type") in _PLAIN
