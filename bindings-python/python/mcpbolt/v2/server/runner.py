"""Running a server on streams that a program has, where programs for 2.x look for it.

Owns: the functions that the engine can stand in for, and the answer to those who want the
official package's own loop. Must not know: how messages are carried.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, NoReturn

import anyio

from ..._engine.acquire import driving
from ...server._about import about_of
from ...server._face import host_of
from ...server._run import carry
from ...server.context import CallNext, ServerMiddleware
from ...shared.exceptions import UsageError

if TYPE_CHECKING:
    from ...server.lowlevel.server import Server
    from ...server.models import InitializationOptions
    from .connection import Connection

__all__ = [
    "CallNext",
    "ServerMiddleware",
    "ServerRunner",
    "aclose_shielded",
    "modern_on_request",
    "serve_connection",
    "serve_dual_era_loop",
    "serve_loop",
    "serve_one",
]

logger: logging.Logger = logging.getLogger(__name__)

# How long what is kept for a client may take to close, in seconds.
CLOSE_SECONDS = 5


async def aclose_shielded(connection: Connection) -> None:
    """Close the `exit_stack` of a connection, even if the task is cancelled, within 5 seconds.

    Args:
        connection: The client's connection.
    """
    with anyio.move_on_after(CLOSE_SECONDS, shield=True) as scope:
        try:
            await connection.exit_stack.aclose()
        except Exception:
            logger.exception("What was kept for a client could not be closed")
    if scope.cancelled_caught:
        logger.warning("What was kept for a client did not close in time")


async def serve_dual_era_loop(
    server: Server[Any, Any],
    read_stream: Any,
    write_stream: Any,
    *,
    lifespan_state: Any,
    session_id: str | None = None,
    init_options: InitializationOptions | None = None,
    raise_exceptions: bool = False,
) -> None:
    """Serve one client on two streams until they end. The program enters the lifespan itself.

    Args:
        server: The server.
        read_stream: The stream that messages from the client are read from.
        write_stream: The stream that messages to the client are written to.
        lifespan_state: The value of the lifespan that handlers get.
        session_id: Ignored. Default: none.
        init_options: The description of the server. Default: made from the server.
        raise_exceptions: Whether an exception that a handler raises ends this call and is raised
            here. Default: no, it becomes an error response.
    """
    del session_id
    about = about_of(init_options or server.create_initialization_options())
    async with driving() as driver:
        await carry(host_of(server, driver, about, lifespan_state, raise_exceptions), read_stream, write_stream)


serve_loop = serve_dual_era_loop


def _refuse(name: str, instead: str) -> NoReturn:
    raise UsageError(f"{name} is a part of the official package's own loop, and mcpbolt's engine has another: {instead}")


class ServerRunner:
    """Refused: a part of the official package that this one does not have.

    Raises:
        UsageError: Always, when it is made.
    """

    def __init__(self, *_: Any, **__: Any) -> None:
        _refuse("ServerRunner", "use Server.run, or serve_loop for streams of your own")


async def serve_connection(*_: Any, **__: Any) -> None:
    """Refused: a part of the official package that this one does not have.

    Raises:
        UsageError: Always.
    """
    _refuse("serve_connection", "use Server.run, or serve_loop for streams of your own")


async def serve_one(*_: Any, **__: Any) -> dict[str, Any]:
    """Refused: a part of the official package that this one does not have.

    Raises:
        UsageError: Always.
    """
    _refuse("serve_one", "use Client(server) within one process, or Server.streamable_http_app")


def modern_on_request(*_: Any, **__: Any) -> Any:
    """Refused: a part of the official package that this one does not have.

    Raises:
        UsageError: Always.
    """
    _refuse("modern_on_request", "use Client(server) within one process, or Server.streamable_http_app")
