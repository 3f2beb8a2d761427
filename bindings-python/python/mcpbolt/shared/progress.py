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
    """How much is done, in any unit."""
    total: float | None
    """The value of `progress` when the work is complete; `None` if it is not known."""


@dataclass
class ProgressContext(Generic[SendRequestT, SendNotificationT, SendResultT, ReceiveRequestT, ReceiveNotificationT]):
    """Adds up the steps of some work and reports the sum as progress."""

    session: BaseSession[SendRequestT, SendNotificationT, SendResultT, ReceiveRequestT, ReceiveNotificationT]
    """The session that reports are sent on."""
    progress_token: ProgressToken
    """The token from the `_meta` of the request."""
    total: float | None
    """The sum when the work is complete; `None` if it is not known."""
    current: float = field(default=0.0, init=False)

    async def progress(self, amount: float, message: str | None = None) -> None:
        """Add `amount` to the progress and report the sum.

        Args:
            amount: How much was done since the last report.
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
    """Report progress on a request in steps: yields a `ProgressContext`.

    Args:
        ctx: The context of the request.
        total: The value of `progress` when the work is complete; `None` if it is not known.

    Raises:
        ValueError: The client did not ask for progress.
    """
    if ctx.meta is None or ctx.meta.progressToken is None:
        raise ValueError("No progress token provided")
    yield ProgressContext(ctx.session, ctx.meta.progressToken, total)
