"""Where a boundary for `requestState` stands in a server: before everything that looks at a
request, and after everything that makes its answer.

Owns: what of a request it is shown. Without one, none of this is loaded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .context import context_of
from .request_state import ASKING

if TYPE_CHECKING:
    from ._live import LiveContext
    from .request_state import RequestStateBoundary


def open_state(boundary: RequestStateBoundary, live: LiveContext) -> None:
    """Put the handler's own state in place of what the client carried.

    Raises:
        MCPError: The boundary refuses it.
    """
    if live.item[4] not in ASKING or live.about.get("requestState") is None:
        return
    state, live.state_binding = boundary.unseal(context_of(live), live.about["requestState"])
    live.about["requestState"] = state
    # It was made with the other one.
    live.__dict__.pop("of_request", None)


def seal_state(boundary: RequestStateBoundary, live: LiveContext, state: str) -> str:
    """What the engine is to carry for a handler.

    Raises:
        MCPError: It cannot be sealed.
    """
    return boundary.seal(context_of(live), state, live.state_binding)
