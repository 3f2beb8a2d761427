"""The work of tasks of 2025-11-25, which goes on while a server runs.

Owns: how it ends with the server. Must not know: what the work is.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .._engine.registry import Registry


@asynccontextmanager
async def works_of(server: Registry, *, ends: bool = False) -> AsyncGenerator[None, None]:
    """The context in which the work of a server's tasks runs. It is entered before anybody can
    call a tool. At its end work that goes on is waited for; with `ends` it is cancelled, as in
    servers that end when they are told to and not with their only client.
    """
    support = server.task_support
    if support is None:
        yield
        return
    from anyio import CancelScope

    with CancelScope() as scope:
        async with support.run():
            yield
            if ends:
                scope.cancel()
