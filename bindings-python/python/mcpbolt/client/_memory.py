"""A server object of this process, as a pair of streams."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from contextvars import copy_context
from typing import Any

from anyio import BrokenResourceError, ClosedResourceError, Event, create_memory_object_stream, move_on_after

from .._engine import face
from .._engine.acquire import acquire
from .._engine.peer import CLOSE_SECONDS

logger: logging.Logger = logging.getLogger("client")

# How many messages may be under way before the sending side waits.
ROOM = 64


@asynccontextmanager
async def in_memory(server: Any, raise_exceptions: bool = False) -> AsyncGenerator[tuple[Any, Any], None]:
    """Run a low-level server or a `FastMCP` in a task of its own while the context is open."""
    low_level: Any = getattr(server, "_mcp_server", server)
    to_client, from_server = create_memory_object_stream[Any](ROOM)
    to_server, from_client = create_memory_object_stream[Any](ROOM)
    driver = acquire()
    over = Event()
    failures: list[Exception] = []

    async def run() -> None:
        try:
            options = low_level.create_initialization_options()
            await low_level.run(from_client, to_client, options, raise_exceptions)
        except Exception as error:
            # A client that left while the server had something to say is no failure of the server.
            left = to_client.statistics().open_receive_streams == 0
            if not (left and _tells_the_end(error)):
                failures.append(error)
        finally:
            to_client.close()
            from_client.close()
            over.set()

    task = driver.spawn(run(), copy_context())
    try:
        yield from_server, to_server
    finally:
        to_server.close()
        from_server.close()
        with move_on_after(CLOSE_SECONDS, shield=True):
            await over.wait()
            await face.current.ended()
        task.cancel()
        driver.release()
    if failures and raise_exceptions:
        raise failures[0]
    if failures:
        logger.error("the server in this process failed: %r", failures[0])


def _tells_the_end(error: BaseException) -> bool:
    """Whether an exception, or each of a group, says only that a stream is closed."""
    parts: tuple[BaseException, ...] | None = getattr(error, "exceptions", None)
    if parts is not None:
        return all(map(_tells_the_end, parts))
    return isinstance(error, (BrokenResourceError, ClosedResourceError))
