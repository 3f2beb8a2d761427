"""What a client needs of a transport of the program's own.

Owns: its type. Must not know: any transport.
"""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Protocol, TypeAlias

from ...shared.message import SessionMessage
from ..shared._stream_protocols import ReadStream, WriteStream

__all__ = ["ReadStream", "Transport", "TransportStreams", "WriteStream"]

TransportStreams: TypeAlias = tuple[ReadStream[SessionMessage | Exception], WriteStream[SessionMessage]]
"""Where messages of the server come from, and where those for it go."""


class Transport(AbstractAsyncContextManager[TransportStreams], Protocol):
    """A context manager that gives both streams and ends the connection at its end."""
