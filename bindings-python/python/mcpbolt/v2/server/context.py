"""What handlers and middleware of 2.x are given.

Owns: the context on the lowest level. Must not know: who makes it; the engine gives handlers a
`ServerRequestContext`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Generic, cast

from ..._engine import face
from ..._engine.protocol import MODERN_REVISIONS
from ..._generics import TypeVar
from ...server.context import (
    CallNext,
    HandlerResult,
    LifespanContextT,
    RequestT,
    ServerMiddleware,
    ServerRequestContext,
)
from ..shared.context import BaseContext
from ..shared.transport_context import TransportContext

if TYPE_CHECKING:
    from ..shared.dispatcher import DispatchContext
    from ..types import LoggingLevel, RequestParamsMeta
    from .connection import Connection

__all__ = [
    "CallNext",
    "Context",
    "HandlerResult",
    "LifespanContextT",
    "RequestT",
    "ServerMiddleware",
    "ServerRequestContext",
]

LifespanT_co = TypeVar("LifespanT_co", default=Any, covariant=True)
LOG_LEVEL = "io.modelcontextprotocol/logLevel"
_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")


class Context(BaseContext[TransportContext], Generic[LifespanT_co]):
    """The context of one request, with its connection and the value of the server's lifespan.

    Args:
        dctx: The context of the dispatcher, which sends the messages.
        lifespan: The value that the server's lifespan yielded.
        connection: The connection to the client.
        meta: The `_meta` of the request. Default: none.
    """

    def __init__(
        self,
        dctx: DispatchContext[TransportContext],
        *,
        lifespan: LifespanT_co,
        connection: Connection,
        meta: RequestParamsMeta | None = None,
    ) -> None:
        super().__init__(dctx, meta)
        self._lifespan = lifespan
        self._connection = connection

    @property
    def lifespan(self) -> LifespanT_co:
        """The value that the server's lifespan yielded."""
        return self._lifespan

    @property
    def connection(self) -> Connection:
        """The connection to the client."""
        return self._connection

    @property
    def session_id(self) -> str | None:
        """The id of the session over HTTP; `None` without one."""
        return self._connection.session_id

    @property
    def headers(self) -> Mapping[str, str] | None:
        """The headers of the HTTP request; `None` on other transports."""
        return self.transport.headers

    async def log(self, level: LoggingLevel, data: Any, logger: str | None = None, *, meta: Any = None) -> None:
        """Send a log message on the stream of this request. In 2026-07-28 it is dropped unless the
        request asked for its level.

        Args:
            level: The severity.
            data: The message: text, or any other JSON value.
            logger: The name of the logger, such as the part of the server that the message is from.
                Default: none.
            meta: The `_meta` of the message. Default: none.
        """
        if self._connection.protocol_version in MODERN_REVISIONS:
            wanted = cast("dict[str, Any]", self.meta or {}).get(LOG_LEVEL)
            if wanted not in _LEVELS or _LEVELS.index(level) < _LEVELS.index(wanted):
                return
        params: dict[str, Any] = {"level": level, "data": data}
        if logger is not None:
            params["logger"] = logger
        if meta:
            params["_meta"] = meta
        await self.notify("notifications/message", params)


face.current.shape(Context)
