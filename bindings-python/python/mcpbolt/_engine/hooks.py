"""Functions of the program that are told of subscriptions.

Owns: calling them, async or not, and logging what they raise. Must not know: servers.
"""

from __future__ import annotations

import contextvars
import logging
from collections.abc import Awaitable, Callable
from inspect import isawaitable
from typing import Any

from .driver import Driver

logger: logging.Logger = logging.getLogger("mcp.server.lowlevel.server")


def run_hooks(
    hooks: list[Callable[[str], Any]], uri: str, context: contextvars.Context, driver: Driver
) -> None:
    """Call each function with a URI, in a copy of the context."""
    for hook in hooks:
        inside = context.copy()
        try:
            work = inside.run(hook, uri)
        except Exception:
            logger.exception("Uncaught exception in a hook for subscriptions")
            continue
        if isawaitable(work):
            driver.background(_finish(work), inside)


async def _finish(work: Awaitable[Any]) -> None:
    try:
        await work
    except Exception:
        logger.exception("Uncaught exception in a hook for subscriptions")
