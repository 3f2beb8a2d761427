"""Sessions over a WebSocket, inside an ASGI application.

Not part of the protocol; kept for programs that use it with 1.x. Prefer HTTP.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from contextvars import copy_context
from typing import TYPE_CHECKING, Any

from anyio import BrokenResourceError, ClosedResourceError, create_memory_object_stream, create_task_group
from starlette.requests import Request
from starlette.websockets import WebSocket, WebSocketDisconnect
from typing_extensions import deprecated

from ..shared.message import SessionMessage
from ._asgi import Receive, Scope, Send
from ._carried import Carried
from .transport_security import TransportSecurityMiddleware

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

    from .transport_security import TransportSecuritySettings

__all__ = ["websocket_server"]

logger: logging.Logger = logging.getLogger("mcp.server.websocket")

# How many messages may be under way before the sending side waits.
ROOM = 16


# Filters of warnings compare this text, so it is that of the official package.
@deprecated(
    "The WebSocket server transport is deprecated and will be removed in mcp 2.0. WebSocket was never part of"
    " the MCP specification; use the streamable HTTP transport instead."
)
@asynccontextmanager
async def websocket_server(
    scope: Scope, receive: Receive, send: Send, security_settings: TransportSecuritySettings | None = None
) -> AsyncGenerator[tuple[MemoryObjectReceiveStream[Any], MemoryObjectSendStream[SessionMessage]], None]:
    """Serve one session; yields streams for `Server.run` until the client disconnects.

    Args:
        scope: The ASGI scope of the WebSocket.
        receive: The ASGI function that receives.
        send: The ASGI function that sends.
        security_settings: Which `Host` and `Origin` headers are allowed. Default: all.

    Raises:
        ValueError: The client may not open a session. It has been refused already.
    """
    socket = WebSocket(scope, receive, send)
    refused = await TransportSecurityMiddleware(security_settings).validate_request(_as_request(scope), is_post=False)
    if refused is not None:
        # Closing before the handshake makes ASGI servers answer with 403.
        await socket.close()
        raise ValueError("Request validation failed")
    await socket.accept(subprotocol="mcp")
    sender, reader = create_memory_object_stream[Any](ROOM)
    writer, unsent = create_memory_object_stream[SessionMessage](ROOM)
    async with create_task_group() as tasks:
        tasks.start_soon(_read, socket, sender)
        tasks.start_soon(_write, socket, unsent)
        try:
            yield reader, writer
        finally:
            tasks.cancel_scope.cancel()
            for end in (sender, reader, writer, unsent):
                end.close()


def _as_request(scope: Scope) -> Request:
    return Request({**scope, "type": "http", "method": "GET"})


async def _read(socket: WebSocket, sender: MemoryObjectSendStream[Any]) -> None:
    from ..types import JSONRPCMessage

    request = _as_request(socket.scope)
    async with sender:
        try:
            while True:
                try:
                    message: Any = JSONRPCMessage.model_validate_json(await socket.receive_text())
                except ValueError as error:
                    await sender.send(error)
                    continue
                await sender.send(SessionMessage(message, Carried(request_context=request, context=copy_context())))
        except (WebSocketDisconnect, BrokenResourceError, ClosedResourceError):
            return


async def _write(socket: WebSocket, unsent: MemoryObjectReceiveStream[SessionMessage]) -> None:
    async with unsent:
        try:
            async for item in unsent:
                await socket.send_text(item.message.model_dump_json(by_alias=True, exclude_none=True))
            await socket.close()
        except (WebSocketDisconnect, ClosedResourceError, RuntimeError):
            # The client disconnected; the reading side handles that.
            return
