"""What a client's connection needs of the session it serves, and of the face in front of the
program.

Owns: these interfaces. Must not know: what implements them.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple, Protocol

# Longest wait for a server to close, in seconds; the engine's own limit is shorter.
CLOSE_SECONDS = 20.0


class Unsendable(NamedTuple):
    """A request that the program's stream cannot carry."""

    method: str
    answer: str
    """The JSON text of an error, for the engine to take in place of the server's answer."""


class Session(Protocol):
    """The methods that a connection calls on its session."""

    async def answer_request(self, number: Any, method: str, params: Any, key: str | None = None) -> None:
        """Handle a request of the server; `key` if it is a question in an answer."""
        ...

    async def take_notification(self, method: str, params: Any) -> None:
        """Handle a notification."""
        ...

    async def take_fault(self, error: Exception) -> None:
        """Handle an error that belongs to no request."""
        ...

    def wants(self, method: str) -> bool:
        """Whether the session handles notifications of this method at all."""
        ...


class Transport(Protocol):
    """A transport of the engine's own, which the program sees as a pair of streams."""

    target: dict[str, Any]
    on_stderr: Callable[[str], None] | None

    def opened(
        self,
        driver: Any,
        number: int,
        session_id: Callable[[], str | None],
        close: Callable[[], Coroutine[Any, Any, None]],
    ) -> None:
        """Called with a connection over this transport, before anything is sent on it.

        Args:
            driver: The driver that has its items.
            number: Its number.
            session_id: Returns the session id that the server assigned.
            close: Closes it.
        """
        ...

    def refused(self, failure: Any) -> Any:
        """Keep the handshake's failure, and return the failure that the caller gets."""
        ...


class ClientFace(Protocol):
    """What the face of a client decides: errors, and the messages on streams of the program."""

    def error(self, error: Exception) -> Exception:
        """The exception for an error of the engine's functions."""
        ...

    def placed(self, failure: Any, target: dict[str, Any] | None, opening: bool = False) -> Any:
        """A failure as the engine reports it, with the place in its message."""
        ...

    def unopened(self, failure: Any, target: dict[str, Any] | None) -> Exception:
        """The exception for a connection that could not be opened."""
        ...

    def closed(self) -> Exception:
        """The exception for using a connection that has ended."""
        ...

    def violation(self, words: str) -> Exception:
        """The exception for what the protocol does not allow."""
        ...

    def answer(self, error: Exception) -> tuple[int, str, Any] | None:
        """Code, message and data of an exception that is meant for the server, else `None`."""
        ...

    def text(self, message: Any) -> str:
        """A message of the program's stream as JSON text."""
        ...

    def messages(self, text: str) -> list[Any]:
        """A text of the engine as messages for the program's stream; an `Unsendable` in place of a
        request that the stream cannot carry.
        """
        ...
