"""Checking structured content against the output schema of its tool.

Owns: the compiled schemas of the tools that were listed. The engine does the checking, and
words its findings like the official package.
"""

from __future__ import annotations

from typing import Any

from .._engine.schemas import Compiled, RefusedSchemaError


class OutputSchemas(dict[str, "dict[str, Any] | None"]):
    """Output schemas by tool name."""

    def __init__(self) -> None:
        super().__init__()
        self._compiled: dict[str, Compiled] = {}

    def check(self, name: str, structured: Any) -> None:
        """Raise `RuntimeError` if the structured content does not fit the tool's schema."""
        schema = self.get(name)
        if schema is None:
            return
        if structured is None:
            raise RuntimeError(f"Tool {name} has an output schema but did not return structured content")
        compiled = self._compiled.get(name)
        if compiled is None or compiled.schema is not schema:
            compiled = self._compiled[name] = Compiled(schema)
        try:
            fault = compiled.fault(structured)
        except RefusedSchemaError as error:
            raise RuntimeError(f"Invalid schema for tool {name}: {error}") from None
        if fault is not None:
            raise RuntimeError(f"Invalid structured content returned by tool {name}: {fault}")
