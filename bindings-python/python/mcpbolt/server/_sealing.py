"""Where a boundary for `requestState` acts in a server: before anything looks at a request,
and after everything that makes its answer.

Owns: which part of a request it gets. Not imported by servers without a boundary.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .context import context_of
from .request_state import ASKING

if TYPE_CHECKING:
    from ._live import LiveContext
    from .request_state import RequestStateBoundary


def open_state(boundary: RequestStateBoundary, live: LiveContext) -> None:
    """Replace the sealed state that a client sent by the handler's own.

    Raises:
        MCPError: The boundary refuses the state.
    """
    if live.item.method not in ASKING or live.about.get("requestState") is None:
        return
    state, live.state_binding = boundary.unseal(context_of(live), live.about["requestState"])
    live.about["requestState"] = state
    # It was cached with the sealed state.
    live.__dict__.pop("of_request", None)


def seal_state(boundary: RequestStateBoundary, live: LiveContext, state: str) -> str:
    """Seal the state that a handler returned, for the engine to send.

    Raises:
        MCPError: Sealing failed.
    """
    return boundary.seal(context_of(live), state, live.state_binding)
