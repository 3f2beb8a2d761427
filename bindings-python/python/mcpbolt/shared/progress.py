"""Progress in steps, for handlers that count."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic

from pydantic import BaseModel

from .session import (
    BaseSession,
    ReceiveNotificationT,
    ReceiveRequestT,
    SendNotificationT,
    SendRequestT,
    SendResultT,
)

if TYPE_CHECKING:
    from ..types import ProgressToken
    from .context import RequestContext


class Progress(BaseModel):
    """A progress report."""

    progress: float
    """How far the work is."""
    total: float | None
    """The value of `progress` at the end, if known."""


@dataclass
class ProgressContext(Generic[SendRequestT, SendNotificationT, SendResultT, ReceiveRequestT, ReceiveNotificationT]):
    """Adds up steps and reports their sum."""

    session: BaseSession[SendRequestT, SendNotificationT, SendResultT, ReceiveRequestT, ReceiveNotificationT]
    """The session that reports are sent on."""
    progress_token: ProgressToken
    """The token from the `_meta` of the request."""
    total: float | None
    """The value of the progress at the end, if known."""
    current: float = field(default=0.0, init=False)

    async def progress(self, amount: float, message: str | None = None) -> None:
        """Add `amount` to the progress and report the sum.

        Args:
            amount: How much further the work is.
            message: A text that describes the current step, for the user. Default: none.
        """
        self.current += amount
        await self.session.send_progress_notification(
            self.progress_token, self.current, total=self.total, message=message
        )


@contextmanager
def progress(
    ctx: RequestContext[Any, Any, Any], total: float | None = None
) -> Generator[ProgressContext[Any, Any, Any, Any, Any], None, None]:
    """Report progress on the request of a context.

    Args:
        ctx: The request's context.
        total: The value of `progress` when the work is complete; `None` if it is not known.

    Raises:
        ValueError: The client did not ask for progress.
    """
    if ctx.meta is None or ctx.meta.progressToken is None:
        raise ValueError("No progress token provided")
    yield ProgressContext(ctx.session, ctx.meta.progressToken, total)
