"""What programs store with a session that the engine carries, and how a relay sends on it."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .._engine.host import ServerHost
    from ._live import LiveContext

logger: logging.Logger = logging.getLogger("mcp.server.session")


class Kept:
    """The part of a session that closes what was bound to it."""

    if TYPE_CHECKING:
        _exit_stack: AsyncExitStack
        _host: ServerHost | None
        _number: int

        def _current(self) -> LiveContext | None: ...

        async def _send(self, live: LiveContext | None, method: str, params: str | None) -> None: ...

        async def _asked(
            self, target: int, method: str, params: str | None, seconds: float | None, hearers: Any
        ) -> Any: ...

        def _call_of(self, request_id: Any) -> LiveContext | None: ...

        def _call_with_token(self, token: str | int) -> LiveContext | None: ...
    else:

        @cached_property
        def _exit_stack(self) -> AsyncExitStack:
            # Created on demand, since most sessions store nothing.
            return AsyncExitStack()

    @property
    def exit_stack(self) -> AsyncExitStack:
        """Closed when the session ends; push what has to be closed with it."""
        return self._exit_stack

    @property
    def described(self) -> dict[str, Any]:
        """The engine's description of the call being answered, or of the connection."""
        live: Any = self._current()
        if live is not None:
            return dict(live.about)
        host = self._host
        return {} if host is None else host.driver.inbox.describe_connection(self._number) or {}

    def on_end(self, work: Callable[[], Awaitable[None]]) -> None:
        """Call a function when the session ends.

        Args:
            work: The async function.
        """
        self._exit_stack.push_async_callback(work)

    async def ended(self) -> None:
        """Close what is stored, if anything."""
        stack: AsyncExitStack | None = self.__dict__.pop("_exit_stack", None)
        if stack is None:
            return
        try:
            await stack.aclose()
        except Exception:
            logger.exception("What was kept for a session could not be closed")

    @property
    def keeps(self) -> bool:
        """Whether anything is stored."""
        return "_exit_stack" in self.__dict__

    # Used by a relay, which has messages as JSON text

    def call_for(self, related: Any, token: str | int | None) -> LiveContext | None:
        """The call that a message belongs to, by the id of its request or by its progress token.

        Args:
            related: The id of the request; `None` if it is not known.
            token: The progress token; `None` if it is not known.
        """
        found = self._call_of(related)
        return self._call_with_token(token) if found is None and token is not None else found

    async def pass_on(self, live: LiveContext | None, method: str, params: str | None) -> None:
        """Send a notification to the client; `params` is JSON text.

        Args:
            live: The call that the message belongs to; `None` for none.
            method: The method.
            params: The params as JSON text; `None` for none.
        """
        await self._send(live, method, params)

    async def put(self, live: LiveContext | None, method: str, params: str | None) -> Any:
        """Send a request to the client and return its answer; `params` is JSON text.

        Args:
            live: The call that the message belongs to; `None` for none.
            method: The method.
            params: The params as JSON text; `None` for none.

        Raises:
            McpError: The client answered with an error, or cannot answer.
        """
        return await self._asked(self._number if live is None else live.call, method, params, None, None)
