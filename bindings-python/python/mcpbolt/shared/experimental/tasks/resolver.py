"""A value that one task sets and another waits for."""

from __future__ import annotations

from typing import Generic, TypeVar, cast

from anyio import Event

T = TypeVar("T")


class Resolver(Generic[T]):
    """Holds one value or one exception. Works on asyncio and trio."""

    def __init__(self) -> None:
        self._event = Event()
        self._value: T | None = None
        self._error: BaseException | None = None

    def set_result(self, value: T) -> None:
        """Set the value.

        Args:
            value: The value.

        Raises:
            RuntimeError: A value or an exception is set already.
        """
        self._finish()
        self._value = value

    def set_exception(self, exc: BaseException) -> None:
        """Set an exception in place of a value.

        Args:
            exc: The exception.

        Raises:
            RuntimeError: A value or an exception is set already.
        """
        self._finish()
        self._error = exc

    def _finish(self) -> None:
        if self._event.is_set():
            raise RuntimeError("Resolver already completed")
        self._event.set()

    async def wait(self) -> T:
        """Wait for the value and return it, or raise the exception that was set."""
        await self._event.wait()
        if self._error is not None:
            raise self._error
        return cast("T", self._value)

    def done(self) -> bool:
        """Whether a value or an exception is set."""
        return self._event.is_set()
