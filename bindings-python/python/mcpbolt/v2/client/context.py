"""What callbacks of a client are given.

Owns: its constructor. Must not know: who calls them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...shared.context import RequestContext

if TYPE_CHECKING:
    from ...client.session import ClientSession

__all__ = ["ClientRequestContext"]


class ClientRequestContext(RequestContext[Any, Any, Any]):
    """The context of a callback: the request of the server that it answers, and the session.

    Args:
        session: The session that the request came on.
        request_id: The id that the server gave the request. Default: none.
        meta: The `_meta` of the request. Default: none.
        lifespan_context: Always `None` for clients. Default: none.
    """

    def __init__(
        self, session: ClientSession, request_id: Any = None, meta: Any = None, lifespan_context: Any = None
    ) -> None:
        super().__init__(request_id, meta, session, lifespan_context)
