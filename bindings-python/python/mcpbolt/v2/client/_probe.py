"""Finding out which era a server speaks, as `mode="auto"` of 2.x does.

Owns: what counts as a sign of a modern server. Must not know: how requests are carried.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..._engine.protocol import LEGACY_REVISIONS, MODERN_REVISIONS
from ...shared.exceptions import MCPError

if TYPE_CHECKING:
    from .session import ClientSession

__all__ = ["negotiate_auto"]

UNSUPPORTED_VERSION = -32022


def _offered(error: MCPError) -> list[str] | None:
    """The revisions that a refusal names; `None` if it names none in the known shape."""
    data: Any = error.error.data
    named: Any = data.get("supported") if isinstance(data, dict) else None  # pyright: ignore
    return [str(one) for one in named] if isinstance(named, list) else None  # pyright: ignore


async def negotiate_auto(session: ClientSession) -> None:
    """Begin a session with whichever era the server speaks: `server/discover` first, and
    `initialize` where its answer is no sign of a modern server.

    Afterwards either `discover_result` or `initialize_result` of the session is set.

    Raises:
        MCPError: The server is modern and no revision is common, or it refused the handshake too.
    """
    from pydantic import ValidationError

    from ..types import DiscoverResult

    version = MODERN_REVISIONS[-1]
    for attempt in range(2):
        try:
            answer = await session.send_discover(version)
        except MCPError as error:
            if error.code == UNSUPPORTED_VERSION:
                offered = _offered(error)
                mutual = [revision for revision in MODERN_REVISIONS if revision in (offered or ())]
                if mutual and attempt == 0:
                    version = mutual[-1]
                    continue
                if offered is not None and not set(offered) & set(LEGACY_REVISIONS):
                    raise
            try:
                await session.initialize()
            except MCPError as refused:
                # A server that was slow to start may have settled on the modern era meanwhile.
                mutual = [revision for revision in MODERN_REVISIONS if revision in (_offered(refused) or ())]
                if refused.code != UNSUPPORTED_VERSION or attempt != 0 or not mutual:
                    raise
                version = mutual[-1]
                continue
            return
        try:
            result = DiscoverResult.model_validate(answer)
        except ValidationError:
            await session.initialize()
            return
        if set(result.supported_versions) & set(MODERN_REVISIONS):
            session.adopt(result)
        else:
            await session.initialize()
        return
