"""Schemas that the engine compiles and checks, and its findings in the words of `jsonschema`.

Owns: how a fault prints in Python. Must not know: whose schema it is; patterns, which only
the engine looks at, within bounds.
"""

from __future__ import annotations

from typing import Any

from ._json import dumps
from ._mcpbolt import EngineError, Schema, loads

__all__ = ["Compiled", "Fault", "RefusedSchemaError"]


class RefusedSchemaError(ValueError):
    """A schema that the engine does not use: it is broken, refers to another document, or
    costs more than its limits allow."""


class Fault:
    """What is wrong with a value: what `jsonschema.validate` would raise."""

    __slots__ = ("_found", "_value", "message")

    def __init__(self, found: dict[str, Any], value: str) -> None:
        self._found = found
        self._value = value
        # The sentence; `str` of the fault also shows the schema and the value.
        self.message = "".join(self._piece(piece) for piece in found["says"])

    def _piece(self, piece: Any) -> str:
        if isinstance(piece, str):
            return piece
        return repr(self._instance() if piece is None else piece["value"])

    def _instance(self) -> Any:
        """The part that does not fit, read from the value's text: no number loses digits."""
        where = self._found["instance"]
        if "value" in where:
            return where["value"]
        part: Any = loads(self._value)
        for step in where["at"]:
            part = part[step]
        return part

    def __str__(self) -> str:
        found = self._found
        if "schema" not in found:
            return self.message
        return (
            f"{self.message}\n\n"
            f"Failed validating {found['keyword']!r} in {_indexed('schema', found['schemaPath'])}:\n"
            f"    {_pretty(found['schema'])}\n\n"
            f"On {_indexed('instance', found['path'])}:\n"
            f"    {_pretty(self._instance())}"
        )


def _indexed(name: str, steps: list[Any]) -> str:
    return name + "".join(f"[{step!r}]" for step in steps)


def _pretty(value: Any) -> str:
    from pprint import pformat
    from textwrap import indent

    return indent(pformat(value, width=72, sort_dicts=False), "    ").lstrip()


class Compiled:
    """A schema, compiled when the first value is checked."""

    __slots__ = ("_engine", "schema")

    def __init__(self, schema: dict[str, Any]) -> None:
        self.schema = schema
        self._engine: Schema | None = None

    def fault(self, value: Any) -> Fault | None:
        """What is wrong with a value; `None` if nothing is.

        Raises `RefusedSchemaError` if the engine does not use the schema, and `ValueError`
        if the value is not one that JSON has.
        """
        text = dumps(value)
        try:
            if self._engine is None:
                self._engine = Schema(dumps(self.schema))
            found = self._engine.explain(text)
        except EngineError as error:
            raise RefusedSchemaError(str(error.args[2])) from None
        return None if found is None else Fault(loads(found), text)
