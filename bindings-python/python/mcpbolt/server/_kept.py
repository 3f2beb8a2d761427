"""What programs keep for a session that the engine carries, and how a relay speaks on it."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._live import LiveContext

logger: logging.Logger = logging.getLogger("mcp.server.session")


class Kept:
    """The part of a session that ends what was bound to it."""

    if TYPE_CHECKING:
        _exit_stack: AsyncExitStack
        _connection: int

        async def _send(self, live: LiveContext | None, method: str, params: str | None) -> None: ...

        async def _asked(
            self, target: int, method: str, params: str | None, seconds: float | None, told: Any
        ) -> Any: ...

        def _call_of(self, request_id: Any) -> LiveContext | None: ...

        def _call_with_token(self, token: str | int) -> LiveContext | None: ...
    else:

        @cached_property
        def _exit_stack(self) -> AsyncExitStack:
            # Most sessions have nothing to keep, and make none.
            return AsyncExitStack()

    def on_end(self, work: Callable[[], Awaitable[None]]) -> None:
        """Have something done when the session is over."""
        self._exit_stack.push_async_callback(work)

    async def ended(self) -> None:
        """Close it, if there is something."""
        stack: AsyncExitStack | None = self.__dict__.pop("_exit_stack", None)
        if stack is None:
            return
        try:
            await stack.aclose()
        except Exception:
            logger.exception("What was kept for a session could not be closed")

    @property
    def keeps(self) -> bool:
        """Whether there is something."""
        return "_exit_stack" in self.__dict__

    # For a relay, which has messages as they are

    def call_for(self, related: Any, token: str | int | None) -> LiveContext | None:
        """The call a message belongs to, by the id of the request or the token of its progress."""
        found = self._call_of(related)
        return self._call_with_token(token) if found is None and token is not None else found

    async def pass_on(self, live: LiveContext | None, method: str, params: str | None) -> None:
        """Tell the client something, as JSON text."""
        await self._send(live, method, params)

    async def put(self, live: LiveContext | None, method: str, params: str | None) -> Any:
        """Ask the client something, as JSON text; its answer.

        Raises:
            McpError: The client answered with an error, or cannot answer.
        """
        return await self._asked(self._connection if live is None else live.call, method, params, None, None)
