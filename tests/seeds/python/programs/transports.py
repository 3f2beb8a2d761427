"""Two custom transports on anyio's memory streams: one around streams that are there, one
that makes them for an ASGI connection of text frames.
"""

import logging
from contextlib import asynccontextmanager

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcpbolt.shared.message import SessionMessage
from mcpbolt.types import JSONRPCMessage
from starlette.types import Receive, Scope, Send

logger = logging.getLogger(__name__)


@asynccontextmanager
async def watching_transport(
    read_stream: MemoryObjectReceiveStream[SessionMessage | Exception],
    write_stream: MemoryObjectSendStream[JSONRPCMessage],
    process,
):
    """Hands what comes to `process`, and yields where to send.

    Args:
        read_stream: What comes
        write_stream: What goes
        process: Takes the messages, one by one
    """

    async def process_messages(stream):
        async for message in stream:
            await process(message)

    async with anyio.create_task_group() as tg:
        try:
            tg.start_soon(lambda: process_messages(read_stream))
            async with write_stream:
                yield write_stream
        except Exception as exc:
            raise exc
        finally:
            tg.cancel_scope.cancel()
            await write_stream.aclose()
            await read_stream.aclose()


@asynccontextmanager
async def frames_transport(scope: Scope, receive: Receive, send: Send):
    """A connection of text frames, each a message, as the streams a server runs on."""
    try:
        read_stream_writer, read_stream = anyio.create_memory_object_stream(0)
        write_stream, write_stream_reader = anyio.create_memory_object_stream(0)

        async def message_handler():
            try:
                async with read_stream_writer:
                    while (frame := await receive())["type"] == "websocket.receive":
                        message = JSONRPCMessage.model_validate_json(frame["text"])
                        await read_stream_writer.send(SessionMessage(message))
            except Exception as exc:
                logger.error(f"a frame could not be taken: {exc}")
                raise exc

        async def frame_sender():
            async with write_stream_reader:
                async for item in write_stream_reader:
                    text = item.message.model_dump_json(by_alias=True, exclude_none=True)
                    await send({"type": "websocket.send", "text": text})

        async with anyio.create_task_group() as tg:
            tg.start_soon(message_handler)
            tg.start_soon(frame_sender)
            try:
                yield read_stream, write_stream
            except Exception as exc:
                logger.error(f"the transport failed: {exc}")
                raise exc
            finally:
                tg.cancel_scope.cancel()
                await write_stream.aclose()
                await read_stream.aclose()
    except Exception as exc:
        logger.error(f"the transport did not start: {exc}")
        raise exc
