"""The face of a client's connections: their errors, and messages on streams.

Owns: which exception a failure becomes. Must not know: how a connection is driven;
`_engine.connection` does that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from anyio import ClosedResourceError

from .._engine.peer import Unsendable
from ..shared._sendable import sendable
from ..shared.exceptions import McpError, ProtocolViolation, SessionClosed, from_engine, from_failure
from ..shared.message import SessionMessage
from ._reach import logger, message_text
from ._words import with_place

if TYPE_CHECKING:
    from .._mcpbolt import EngineError


class ClosedError(SessionClosed, ClosedResourceError):
    """The connection ended before anything was sent. Programs catch it under anyio's name."""


class SessionFace:
    """See `ClientFace`."""

    def error(self, error: Exception) -> Exception:
        """The exception for an error of the engine's functions."""
        return from_engine(cast("EngineError", error))

    def placed(self, failure: Any, target: dict[str, Any] | None, opening: bool = False) -> Any:
        """A failure as the engine reports it, with the place in its message."""
        return with_place(failure, target, opening)

    def unopened(self, failure: Any, target: dict[str, Any] | None) -> Exception:
        """The exception for a connection that could not be opened."""
        return from_failure(with_place(failure, target))

    def closed(self) -> Exception:
        """The exception for using a connection that has ended."""
        return ClosedError("the connection is closed")

    def violation(self, words: str) -> Exception:
        """The exception for what the protocol does not allow."""
        return ProtocolViolation(words)

    def answer(self, error: Exception) -> tuple[int, str, Any] | None:
        """Code, message and data of an exception that is meant for the server, else `None`."""
        return (error.code, error.message, error.data) if isinstance(error, McpError) else None

    def text(self, message: Any) -> str:
        """A message of the program's stream as JSON text."""
        return message_text(message)

    def messages(self, text: str) -> list[SessionMessage | Unsendable]:
        """A text of the engine as messages for the program's stream."""
        found = sendable(text, logger)
        return [one if isinstance(one, Unsendable) else SessionMessage(one) for one in found]


FACE = SessionFace()
