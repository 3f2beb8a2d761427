"""Schemas that the engine compiles and checks, with its findings worded like those of
`jsonschema`.

Owns: how a fault is printed in Python. Must not know: whose schema it is; patterns, which only
the engine evaluates, within limits.
"""

from __future__ import annotations

from typing import Any

from .._mcpbolt import EngineError, Schema, loads
from .json import dumps

__all__ = ["Compiled", "Fault", "RefusedSchemaError"]


class RefusedSchemaError(ValueError):
    """A schema that the engine does not accept: it is invalid, refers to another document, or
    exceeds the engine's limits.
    """


class Fault:
    """What is wrong with a value, in the form of the error of `jsonschema.validate`."""

    __slots__ = ("_found", "_value", "message")

    def __init__(self, found: dict[str, Any], value: str) -> None:
        self._found = found
        self._value = value
        # One sentence. `str` of the fault also shows the schema and the value.
        self.message = "".join(self._piece(piece) for piece in found["says"])

    def _piece(self, piece: Any) -> str:
        if isinstance(piece, str):
            return piece
        return repr(self._instance() if piece is None else piece["value"])

    def _instance(self) -> Any:
        """The part of the value that is wrong, parsed from its text so that numbers are exact."""
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
        """What is wrong with a value; `None` if it is valid.

        Raises:
            RefusedSchemaError: The engine does not accept the schema.
            ValueError: The value cannot be written as JSON.
        """
        text = dumps(value)
        try:
            if self._engine is None:
                self._engine = Schema(dumps(self.schema))
            found = self._engine.explain(text)
        except EngineError as error:
            raise RefusedSchemaError(str(error.args[2])) from None
        return None if found is None else Fault(loads(found), text)
