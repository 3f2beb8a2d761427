"""A value that one task waits for and another brings."""

from __future__ import annotations

from typing import Generic, TypeVar, cast

from anyio import Event

T = TypeVar("T")


class Resolver(Generic[T]):
    """Holds one value or one exception; on asyncio and trio."""

    def __init__(self) -> None:
        self._event = Event()
        self._value: T | None = None
        self._error: BaseException | None = None

    def set_result(self, value: T) -> None:
        """Bring the value.

        Raises:
            RuntimeError: It is there.
        """
        self._finish()
        self._value = value

    def set_exception(self, exc: BaseException) -> None:
        """Bring an exception instead.

        Raises:
            RuntimeError: A value is there.
        """
        self._finish()
        self._error = exc

    def _finish(self) -> None:
        if self._event.is_set():
            raise RuntimeError("Resolver already completed")
        self._event.set()

    async def wait(self) -> T:
        """The value, once it is there; the exception, if one was brought."""
        await self._event.wait()
        if self._error is not None:
            raise self._error
        return cast("T", self._value)

    def done(self) -> bool:
        """Whether the result is there."""
        return self._event.is_set()
