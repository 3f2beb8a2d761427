"""Requests of a session on their way to the server and back.

Owns: limits, progress and failures of a request. Must not know: which requests there are, and
what their results mean.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from .._engine import face, otel
from .._engine.raised import taken
from .._mcpbolt import EngineError
from ..shared._progress import tell
from ..shared.exceptions import McpError, TimeoutError, UsageError, from_engine, from_failure, in_time
from ._connection import ClosedError
from ._levels import says_level
from ._results import refuse_kind
from ._resumable import with_metadata
from ._words import with_place

if TYPE_CHECKING:
    from .._engine.connection import Connection
    from .._engine.items import Hearers
    from ._extensions import Extensions
    from ..shared.message import MessageMetadata, ResumptionTokenUpdateCallback
    from ..shared.session import ProgressFnT
    from ..types import LoggingLevel

logger: logging.Logger = logging.getLogger("client")

# What the engine says of results whose kind nobody has declared.
_UNKNOWN_KIND = "the result has an unknown resultType"
_CLOSED = ("closed", -32000, "the connection is closed", None)


class Sending:
    """The part of `ClientSession` that sends requests."""

    if TYPE_CHECKING:
        _connection: Connection | None
        _extensions: Extensions
        _log_level: LoggingLevel | None
        _session_read_timeout_seconds: timedelta | None

        def _begin_without_handshake(self) -> None:
            """Opens the connection for a program that sends before `initialize()`."""
            ...

        def wants(self, method: str) -> bool:
            """Whether anything handles notifications of this method.

            Args:
                method: The method.
            """
            ...

        async def take_notification(self, method: str, params: Any) -> None:
            """Pass a notification to hooks, callback and message handler.

            Args:
                method: The method.
                params: The params.
            """
            ...

    def _limit(self, given: timedelta | float | None) -> float | None:
        limit = given if given is not None else self._session_read_timeout_seconds
        return limit.total_seconds() if isinstance(limit, timedelta) else limit

    def _opened(self) -> Connection:
        if self._connection is None:
            if not face.current.skips_handshake:
                raise UsageError("the session is not open: await initialize() first")
            self._begin_without_handshake()
        assert self._connection is not None
        return self._connection

    async def _ask(
        self,
        method: str,
        params: str | None,
        limit: float | None,
        progress_callback: ProgressFnT | None,
        what: str = "ClientRequest",
        more: dict[str, Any] | None = None,
        metadata: MessageMetadata = None,
    ) -> Any:
        connection = self._opened()
        if connection.over.is_set():
            raise ClosedError(self._failed(connection.failure or _CLOSED, what, limit).error)
        if self._log_level is not None and not says_level(params):
            more = {**(more or {}), "log_level": self._log_level}
        if limit is not None:
            more = {**(more or {}), "timeout": limit, "reset_on_progress": False}
        params = self._extensions.request(method, params)
        hearers = None if progress_callback is None else {"progress": self._listener(connection, progress_callback)}
        if not connection.sends(method, metadata) and metadata is not None:
            more = with_metadata(more, metadata)
            told: ResumptionTokenUpdateCallback | None = getattr(metadata, "on_resumption_token_update", None)
            if told is not None:
                hearers = {**(hearers or {}), "event_id": _teller(connection, told)}
        if not otel.is_on():
            return await self._answer(connection, method, params, hearers, more, (what, limit))
        from .._engine.spans import client_span

        with client_span(method, params, connection.revision(), self._extensions.rows) as sent:
            hearers = {**(hearers or {}), "sent": sent.sent_as}
            answer = await self._answer(connection, method, sent.params, hearers, more, (what, limit))
            if method == "tools/call":
                sent.answered(answer)
            return answer

    async def _answer(
        self,
        connection: Connection,
        method: str,
        params: str | None,
        hearers: Hearers | None,
        more: dict[str, Any] | None,
        asked: tuple[str, float | None],
    ) -> Any:
        try:
            item = await connection.driver.request(connection.number, method, params, None, hearers, more)
        except EngineError as error:
            raise from_engine(error) from None
        await connection.serial.settled()
        if item.failure is not None:
            if face.current.validates_kinds and item.failure[2] == _UNKNOWN_KIND:
                refuse_kind(item.failure[3])
            raise self._in_time(self._failed(item.failure, *asked), method)
        return self._extensions.result(method, item.result)

    def _listener(self, connection: Connection, callback: ProgressFnT) -> Callable[[Any], None]:
        return lambda report: connection.serial.put(lambda: self._progressed(callback, report))

    async def ask(
        self,
        method: str,
        params: str | None = None,
        *,
        fresh: bool = False,
        limit: float | None = None,
        more: dict[str, Any] | None = None,
    ) -> Any:
        """Send a request of any method and wait for its result.

        Args:
            method: The method.
            params: The params as JSON text. Default: none.
            fresh: Whether to ask the server even if a cached result is still valid. Default: no.
            limit: Longest wait for the answer, in seconds. Default: that of the session.
            more: Further options of the request, as the engine has them. Default: none.

        Returns:
            The result as plain JSON values.
        """
        if fresh:
            more = {**(more or {}), "fresh": True}
        return await self._ask(method, params, self._limit(limit), None, more=more)

    @property
    def is_modern(self) -> bool:
        """Whether the connection uses a revision without a handshake, 2026-07-28 or later."""
        return self._opened().describe().get("era") == "modern"

    @property
    def limit(self) -> float | None:
        """The session's own limit for an answer, in seconds; `None` if it has none."""
        return self._limit(None)

    def open_stream(
        self,
        method: str,
        params: str,
        take: Callable[[str, Any], None],
        ended: Callable[[Any], None],
        *,
        keep: bool = False,
    ) -> Callable[[], None]:
        """Send a request that stays open, such as `subscriptions/listen`. Returns a function that ends
        it.

        Args:
            method: The method.
            params: The params as JSON text.
            take: Called with method and params of each notification on the stream.
            ended: Called with the item of the engine that ended the request.
            keep: Whether the engine makes the request again when a stream ends that the server had
                agreed to. Notifications then tell that everything it is about may have changed.
        """
        more: dict[str, Any] = {} if self._log_level is None else {"log_level": self._log_level}
        if keep:
            more["renew"] = True
        return self._opened().open_stream(method, params, take, ended, more)

    def show(self, method: str, params: Any) -> None:
        """Pass a notification that came on an open request to the callbacks of the session.

        Args:
            method: The method.
            params: The params.
        """
        self._opened().show(method, params)

    async def _progressed(self, callback: ProgressFnT, report: dict[str, Any]) -> None:
        await tell(callback, report, logger)
        if self.wants("notifications/progress"):
            await self.take_notification("notifications/progress", report)

    def _in_time(self, error: McpError, method: str) -> McpError:
        """The error of a request, which may be that its answer came too late."""
        return in_time(error, method)

    def _failed(self, failure: tuple[str, int, str, Any], what: str, limit: float | None) -> McpError:
        connection = self._connection
        cause = taken(failure[3])
        if cause is not None:
            # A server of this process; the exception says what the data could not.
            error = from_failure((*failure[:3], None))
            error.__cause__ = cause
            return error
        error = from_failure(failure if connection is None else with_place(failure, connection.target))
        if isinstance(error, TimeoutError) and limit is not None:
            words = f"Timed out while waiting for response to {what}. Waited {limit} seconds."
            return McpError(408, words) if face.current.plain_errors else TimeoutError(words)
        if face.current.hides_connections and error.kind in ("closed", "transport"):
            shown = type(error)(-32000, "Connection closed")
            # The cause is shown in tracebacks.
            shown.__cause__ = error
            return shown
        return error


def _teller(connection: Connection, told: ResumptionTokenUpdateCallback) -> Callable[[str], None]:
    return lambda event: connection.serial.put(lambda: told(event))
