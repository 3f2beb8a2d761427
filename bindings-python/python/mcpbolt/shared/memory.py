"""Clients and servers in one process."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

    from ..client.session import ClientSession
    from ..server.fastmcp import FastMCP
    from ..server.lowlevel import Server
    from ..server.mcpserver import MCPServer
    from ..types import Implementation
    from .message import SessionMessage

    MessageStream: TypeAlias = tuple[
        "MemoryObjectReceiveStream[SessionMessage | Exception]", "MemoryObjectSendStream[SessionMessage]"
    ]
else:
    MessageStream = tuple


@asynccontextmanager
async def create_client_server_memory_streams() -> AsyncGenerator[tuple[MessageStream, MessageStream], None]:
    """Two connected pairs of streams, first the client's, then the server's: each receives what the
    other sends.
    """
    from anyio import create_memory_object_stream

    to_client, from_server = create_memory_object_stream[Any](1)
    to_server, from_client = create_memory_object_stream[Any](1)
    async with to_client, from_server, to_server, from_client:
        yield (from_server, to_server), (from_client, to_client)


@asynccontextmanager
async def create_connected_server_and_client_session(
    server: Server[Any, Any] | FastMCP[Any] | MCPServer[Any],
    read_timeout_seconds: timedelta | None = None,
    sampling_callback: Any = None,
    list_roots_callback: Any = None,
    logging_callback: Any = None,
    message_handler: Any = None,
    client_info: Implementation | None = None,
    raise_exceptions: bool = False,
    elicitation_callback: Any = None,
) -> AsyncGenerator[ClientSession, None]:
    """Run a server in this process, and connect a client to it; yields the session after the
    handshake. For tests.

    Args:
        server: The server.
        read_timeout_seconds: Longest wait for an answer; progress does not extend it. Default: no
            limit.
        sampling_callback: Async function that is called when the server asks for a message from a
            language model. Default: none, and such requests are refused.
        list_roots_callback: Async function that is called when the server asks for the roots that
            it may work on. Default: none, and such requests are refused.
        logging_callback: Async function that is called with each log message of the server.
            Default: they are ignored.
        message_handler: Async function that is called with each notification, and with each request
            that no callback answers. Default: they are ignored.
        client_info: The name and version of the client, sent to the server. Default: `mcp`, version
            `0.1.0`.
        raise_exceptions: Whether an exception in a handler ends the server and is raised here,
            instead of becoming an error response. Default: no.
        elicitation_callback: Async function that is called when the server asks the user a
            question. Default: none, and such requests are refused.
    """
    from anyio import create_task_group

    from ..client.session import ClientSession

    low_level: Any = getattr(server, "_mcp_server", server)
    async with create_client_server_memory_streams() as (client_streams, server_streams):
        options = low_level.create_initialization_options()
        async with create_task_group() as tasks:
            tasks.start_soon(low_level.run, *server_streams, options, raise_exceptions)
            try:
                async with ClientSession(
                    *client_streams,
                    read_timeout_seconds=read_timeout_seconds,
                    sampling_callback=sampling_callback,
                    list_roots_callback=list_roots_callback,
                    logging_callback=logging_callback,
                    message_handler=message_handler,
                    client_info=client_info,
                    elicitation_callback=elicitation_callback,
                ) as session:
                    await session.initialize()
                    yield session
            finally:
                tasks.cancel_scope.cancel()
