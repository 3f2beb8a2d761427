"""Verbs of the engine that wait for the user's machine: a disk, another program, a browser.

Owns: that they hold up nobody else, and can be given up. Must not know: what is waited for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from anyio import CapacityLimiter, to_thread

from ..._mcpbolt import EngineError
from .exceptions import OAuthFlowError

T = TypeVar("T")

# How long a thread waits before it looks whether anybody still wants that, in seconds.
PATIENCE = 0.5


async def waited(work: Callable[..., T], *given: Any) -> T:
    """The result of a verb, run on a thread. What a thread gets that nobody waits for any more is dropped.

    Raises:
        OAuthFlowError: The verb failed.
    """
    try:
        # Others of the program that wait hold up no thread that this one needs.
        return await to_thread.run_sync(work, *given, abandon_on_cancel=True, limiter=CapacityLimiter(1))
    except EngineError as error:
        raise OAuthFlowError(error.args[2]) from None
