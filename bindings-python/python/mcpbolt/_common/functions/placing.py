"""Where plain functions run: on worker threads, so that one which blocks stops no other, or on
the loop.

Owns: whose word counts. Must not know: what the functions are for.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from ..._engine import face

T = TypeVar("T")

# What the server says whose resource is being read, as functions of resources have no context.
_reading: ContextVar[bool | None] = ContextVar("mcpbolt_sync_in_thread", default=None)


@contextmanager
def reading_for(server: Any) -> Generator[None, None, None]:
    """Read a resource of a server: its functions run where the server says."""
    token = _reading.set(server.sync_in_thread)
    try:
        yield
    finally:
        _reading.reset(token)


def wants_threads(context: Any = None) -> bool:
    """Whether the server of a context, or that whose resource is being read, has plain functions
    run on threads; without either, what the process's face says.
    """
    said = getattr(getattr(context, "_owner", None), "sync_in_thread", None)
    if said is None:
        said = _reading.get()
    return not face.current.runs_on_loop if said is None else bool(said)


async def call_plain(function: Callable[[], T], on_thread: bool) -> T:
    """Call a plain function on a thread or right here.

    Args:
        function: The function, with its arguments.
        on_thread: Whether it runs on a thread.
    """
    if not on_thread:
        return function()
    from ...server._threads import in_thread

    return await in_thread(function)
