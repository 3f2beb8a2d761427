"""The process's standard streams as a pair of message streams.

If the pair is given to `Server.run` unused, the engine takes the process's descriptors itself
and nothing of this runs. If a program reads or writes the streams, messages are carried here
by threads, without making a descriptor non-blocking.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from io import TextIOWrapper
from typing import Any

from anyio import (
    AsyncFile,
    ClosedResourceError,
    Event,
    create_memory_object_stream,
    create_task_group,
    move_on_after,
    wrap_file,
)
from anyio.from_thread import BlockingPortal
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from ..shared.message import SessionMessage
from ..types import JSONRPCMessage

__all__ = ["stdio_server"]

_Incoming = Any
# How many seconds the last messages may take.
_END_SECONDS = 5.0


class _Input(MemoryObjectReceiveStream[_Incoming]):
    """Messages from clients. The reading thread starts with the first `receive`."""

    source: _Source | None = None

    def claim_for_engine(self, other: Any) -> bool:
        """Whether the engine may read and write instead, as the streams have not been used yet."""
        source = self.source
        if source is None or source.started or not isinstance(other, _Output) or other.used:
            return False
        source.started = True
        return True

    def receive_nowait(self) -> _Incoming:
        if self.source is not None:
            self.source.start()
        return super().receive_nowait()


class _Output(MemoryObjectSendStream[SessionMessage]):
    """Messages from the server."""

    used = False

    def send_nowait(self, item: SessionMessage) -> None:
        self.used = True
        super().send_nowait(item)


class _Source:
    """Reads lines on a thread of its own, which ends with the process at the latest."""

    def __init__(self, sender: MemoryObjectSendStream[_Incoming], portal: BlockingPortal) -> None:
        self.sender = sender
        self.portal = portal
        self.started = False

    def start(self) -> None:
        """Start reading. Further calls do nothing."""
        if not self.started:
            self.started = True
            threading.Thread(target=self._read, name="mcpbolt-stdin", daemon=True).start()

    def _read(self) -> None:
        text = TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace")
        try:
            for line in text:
                self.portal.call(self.sender.send, _read_message(line))
            self.portal.call(self.sender.aclose)
        except Exception:  # the loop is gone, and with it the reader of the stream
            return
        finally:
            # A program may have replaced stdin and closed the replacement.
            with suppress(ValueError):
                text.detach()


def _read_message(line: str) -> _Incoming:
    try:
        return SessionMessage(JSONRPCMessage.model_validate_json(line))
    except ValueError as error:
        return error


@asynccontextmanager
async def stdio_server(
    stdin: AsyncFile[str] | None = None, stdout: AsyncFile[str] | None = None
) -> AsyncGenerator[tuple[MemoryObjectReceiveStream[_Incoming], MemoryObjectSendStream[SessionMessage]], None]:
    """Open the process's standard input and output, or other files, as the streams for `Server.run`.

    Args:
        stdin: An open text file to read from. Default: standard input.
        stdout: An open text file to write to. Default: standard output.
    """
    sender, plain_reader = create_memory_object_stream[_Incoming](0)
    plain_writer, unsent = create_memory_object_stream[SessionMessage](0)
    reader, writer = _Input(plain_reader._state), _Output(plain_writer._state)  # pyright: ignore[reportPrivateUsage]
    plain_reader.close()
    plain_writer.close()
    async with BlockingPortal() as portal, create_task_group() as tasks:
        if stdin is None and stdout is None:
            reader.source = _Source(sender, portal)
        else:
            tasks.start_soon(_pump_in, stdin or wrap_file(sys.stdin), sender)
        written = Event()
        tasks.start_soon(_pump_out, stdout, unsent, written)
        try:
            yield reader, writer
            writer.close()
            if not unsent.statistics().open_send_streams:
                # Everything sent is written, unless the client does not read it.
                with move_on_after(_END_SECONDS):
                    await written.wait()
        finally:
            tasks.cancel_scope.cancel()
            await portal.stop(cancel_remaining=True)
            for stream in (sender, reader, writer, unsent):
                stream.close()


async def _pump_in(stdin: AsyncFile[str], sender: MemoryObjectSendStream[_Incoming]) -> None:
    async with sender:
        async for line in stdin:
            try:
                await sender.send(_read_message(line))
            except ClosedResourceError:
                return


async def _pump_out(
    stdout: AsyncFile[str] | None, unsent: MemoryObjectReceiveStream[SessionMessage], written: Event
) -> None:
    try:
        async for item in unsent:
            line = item.message.model_dump_json(by_alias=True, exclude_none=True) + "\n"
            if stdout is None:
                # Opened on the first write: by then the engine may have taken the real one.
                stdout = wrap_file(TextIOWrapper(sys.stdout.buffer, encoding="utf-8"))
            await stdout.write(line)
            await stdout.flush()
    finally:
        written.set()
