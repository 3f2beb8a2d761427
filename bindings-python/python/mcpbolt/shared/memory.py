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
    """Two connected pairs of streams, the client's first: what one side sends the other
    receives.
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
    """A client session with a running server in this process, after the handshake.

    Args:
        server: The server.
        read_timeout_seconds: Longest wait for an answer. Default: no limit.
        sampling_callback: Called when the server asks for a message of a language model. Default:
            refused.
        list_roots_callback: Called when the server asks for the roots it may work on. Default:
            refused.
        logging_callback: Called with each log message of the server. Default: they are ignored.
        message_handler: Called with each notification, and with each request that no callback
            answers. Default: they are ignored.
        client_info: Name and version that the client sends. Default: those of this package.
        raise_exceptions: Whether exceptions of handlers end the server and propagate, instead of
            becoming error responses. Default: no.
        elicitation_callback: Called when the server asks the user a question. Default: refused.
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
