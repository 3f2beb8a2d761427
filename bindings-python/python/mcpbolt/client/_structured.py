"""Checking structured content against the output schema of its tool.

Owns: the compiled schemas of the tools that were listed, and one list for all calls that need it
at the same time. The engine does the checking, and words its findings like the official package.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from .._engine.life import event
from .._engine.schemas import Compiled, RefusedSchemaError


class _Listing:
    """A list of the tools that is under way."""

    def __init__(self) -> None:
        self.over = event()
        self.succeeded = False


class OutputSchemas(dict[str, "dict[str, Any] | None"]):
    """Output schemas by tool name."""

    def __init__(self) -> None:
        super().__init__()
        self._compiled: dict[str, Compiled] = {}
        self._listing: _Listing | None = None

    async def learn(self, name: str, list_tools: Callable[[], Awaitable[object]]) -> None:
        """Have the tools listed, unless this one is known. Calls that need a list at the same time
        wait for one.

        Args:
            name: The tool's name. It stays unknown if the server does not list it.
            list_tools: Asks for a list, and adds the tools of its answer here.
        """
        # Asked for before this tool was needed, so perhaps answered before the server had it.
        earlier = self._listing
        while name not in self:
            listing = self._listing
            if listing is None:
                await self._list(list_tools)
                return
            await listing.over.wait()
            if listing is not earlier:
                if not listing.succeeded:
                    await list_tools()
                return

    async def _list(self, list_tools: Callable[[], Awaitable[object]]) -> None:
        self._listing = listing = _Listing()
        try:
            await list_tools()
            listing.succeeded = True
        finally:
            self._listing = None
            listing.over.set()

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
