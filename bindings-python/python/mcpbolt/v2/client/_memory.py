"""A server of this process as a transport.

Owns: its place in the official package. Must not know: how the server is run.
"""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from types import TracebackType
from typing import Any

from ...client._memory import in_memory

__all__ = ["InMemoryTransport"]


class InMemoryTransport:
    """Runs a server while the context is open, and gives the client's two streams."""

    def __init__(self, server: Any, *, raise_exceptions: bool = False) -> None:
        self._server = server
        self._raise_exceptions = raise_exceptions
        self._running: AbstractAsyncContextManager[tuple[Any, Any]] | None = None

    async def __aenter__(self) -> tuple[Any, Any]:
        self._running = in_memory(self._server, self._raise_exceptions)
        return await self._running.__aenter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        running, self._running = self._running, None
        if running is not None:
            await running.__aexit__(kind, error, trace)
