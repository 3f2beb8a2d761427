"""Whether what a tool returned fits the schema it was listed with.

Owns: the schemas that were seen, compiled. The engine says yes; where it does not, the
words are `jsonschema`'s if that is installed, as with the official package.
"""

from __future__ import annotations

from typing import Any

from .. import _mcpbolt
from .._json import dumps


class OutputSchemas(dict[str, "dict[str, Any] | None"]):
    """Output schemas by the names of tools."""

    def __init__(self) -> None:
        super().__init__()
        self._compiled: dict[str, tuple[dict[str, Any], _mcpbolt.Schema]] = {}

    def check(self, name: str, structured: Any) -> None:
        """Raise `RuntimeError` if a result does not fit."""
        schema = self.get(name)
        if schema is None:
            return
        if structured is None:
            raise RuntimeError(f"Tool {name} has an output schema but did not return structured content")
        compiled = self._compiled.get(name)
        if compiled is None or compiled[0] is not schema:
            compiled = self._compiled[name] = (schema, _mcpbolt.Schema(dumps(schema)))
        try:
            faults = compiled[1].check(dumps(structured))
        except _mcpbolt.EngineError as error:
            raise RuntimeError(f"Invalid schema for tool {name}: {error.args[2]}") from None
        if faults:
            words = _words(structured, schema) or "; ".join(faults)
            raise RuntimeError(f"Invalid structured content returned by tool {name}: {words}")


def _words(structured: Any, schema: dict[str, Any]) -> str | None:
    try:
        import jsonschema
    except ImportError:
        return None
    library: Any = jsonschema
    try:
        library.validate(structured, schema)
    except Exception as error:
        return str(error)
    return None
