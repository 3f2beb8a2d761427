"""Checks of arguments and results against JSON Schema, in the words of `jsonschema`.

Owns: the engine says yes, the library says why not. Must not know: tools.
"""

from __future__ import annotations

from typing import Any

from ..._json import dumps
from ..._mcpbolt import EngineError, Schema



class Checker:
    """A schema, compiled when it is first used."""

    __slots__ = ("_compiled", "schema")

    def __init__(self, schema: dict[str, Any]) -> None:
        self.schema = schema
        self._compiled: Schema | None = None

    def fault(self, value: Any) -> str | None:
        """What is wrong with a value, in one sentence; `None` if nothing is."""
        try:
            if self._compiled is None:
                self._compiled = Schema(dumps(self.schema))
            found = self._compiled.check(dumps(value))
            if found is None:
                return None
        except (EngineError, TypeError, ValueError):
            found = None
        return self._words(value, found)

    def _words(self, value: Any, found: list[str] | None) -> str | None:
        import jsonschema

        try:
            jsonschema.validate(instance=value, schema=self.schema)
        except jsonschema.ValidationError as error:
            return str(error.message)
        return None


def checker_of(cache: dict[str, Checker], name: str, schema: dict[str, Any]) -> Checker:
    """The checker of a tool's schema, made anew when the schema is another."""
    checker = cache.get(name)
    if checker is None or checker.schema != schema:
        checker = cache[name] = Checker(schema)
    return checker
