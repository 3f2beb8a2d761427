"""A server's session with one client, as handlers of 2.x get it.

Owns: what 2.x calls differently. Must not know: how messages are carried.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..._engine.protocol import MODERN_REVISIONS
from ...server.session import ServerSession as _ServerSession

if TYPE_CHECKING:
    from ..types import ElicitResult, RequestId

__all__ = ["ServerSession"]


class ServerSession(_ServerSession):
    """A server's session with one client."""

    @property
    def can_send_request(self) -> bool:
        """Whether the client can be asked while this request is answered."""
        return self.protocol_version not in MODERN_REVISIONS

    async def elicit(  # type: ignore[override]
        self, message: str, requested_schema: dict[str, Any], related_request_id: RequestId | None = None
    ) -> ElicitResult:
        """The same as `elicit_form`, under its older name."""
        return await self.elicit_form(message, requested_schema, related_request_id)

    async def elicit_form(  # type: ignore[override]
        self, message: str, requested_schema: dict[str, Any], related_request_id: RequestId | None = None
    ) -> ElicitResult:
        """Ask the user to fill in a form, described by a flat JSON Schema of primitive values."""
        found: Any = await super().elicit_form(message, requested_schema, related_request_id)
        answer: ElicitResult = found
        return answer
