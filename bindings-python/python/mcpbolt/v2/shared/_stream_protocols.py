"""Streams of messages as programs may bring them.

Owns: their types. Must not know: any stream.
"""

from __future__ import annotations

from types import TracebackType
from typing import Protocol, TypeVar

from typing_extensions import Self

T_co = TypeVar("T_co", covariant=True)
"""What is read."""
T_contra = TypeVar("T_contra", contravariant=True)
"""What is written."""


class ReadStream(Protocol[T_co]):
    """Gives messages in order, until its end."""

    async def receive(self) -> T_co:
        """The next message."""
        ...

    async def aclose(self) -> None:
        """End the stream."""
        ...

    def __aiter__(self) -> ReadStream[T_co]: ...

    async def __anext__(self) -> T_co: ...

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> bool | None: ...


class WriteStream(Protocol[T_contra]):
    """Takes messages in order."""

    async def send(self, item: T_contra, /) -> None:
        """Write a message."""
        ...

    async def aclose(self) -> None:
        """End the stream."""
        ...

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> bool | None: ...
