"""What programs keep for a session that the engine carries, closed with it."""

from __future__ import annotations

import logging
from contextlib import AsyncExitStack
from functools import cached_property
from typing import TYPE_CHECKING

logger: logging.Logger = logging.getLogger("mcp.server.session")


class Kept:
    """The part of a session that ends what was bound to it."""

    if TYPE_CHECKING:
        _exit_stack: AsyncExitStack
    else:

        @cached_property
        def _exit_stack(self) -> AsyncExitStack:
            # Most sessions have nothing to keep, and make none.
            return AsyncExitStack()

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
