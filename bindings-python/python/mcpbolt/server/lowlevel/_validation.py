"""Validating arguments and results with JSON Schema, in the words of the official package.

Owns: compiled schemas by tool name. Must not know: tools.
"""

from __future__ import annotations

from typing import Any

from ..._engine.schemas import Compiled, RefusedSchemaError


class Checker:
    """A schema, compiled on first use."""

    __slots__ = ("_compiled",)

    def __init__(self, schema: dict[str, Any]) -> None:
        self._compiled = Compiled(schema)

    @property
    def schema(self) -> dict[str, Any]:
        """The schema as it was given."""
        return self._compiled.schema

    def fault(self, value: Any) -> str | None:
        """What is wrong with a value, in one sentence; `None` if it is valid. If the engine
        refuses the schema itself, no value is valid, because nothing else would check it.
        """
        try:
            found = self._compiled.fault(value)
        except RefusedSchemaError as error:
            return f"the tool's schema is refused: {error}"
        except (TypeError, ValueError) as error:
            return str(error)
        return None if found is None else found.message


def checker_of(cache: dict[str, Checker], name: str, schema: dict[str, Any]) -> Checker:
    """The checker of a tool's schema; a new one if the schema has changed."""
    checker = cache.get(name)
    if checker is None or checker.schema != schema:
        checker = cache[name] = Checker(schema)
    return checker
