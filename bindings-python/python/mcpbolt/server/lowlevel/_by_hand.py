"""Answering one message of a session that the program made by hand.

Owns: the part of `Server` for programs that iterate over a session's `incoming_messages`
themselves, in a `Server.run` of their own. Must not know: the engine.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, cast

from ..._engine import face
from ..._engine.context import request_ctx
from ...shared.context import RequestContext
from ...shared.exceptions import McpError
from .._error_responses import failure_row, method_not_found

if TYPE_CHECKING:
    from ... import types
    from ...shared.session import RequestResponder
    from ..session import ServerSession
    from ._table import HandlerTable

logger: logging.Logger = logging.getLogger("mcp.server.lowlevel.server")


class ByHand:
    """The part of `Server` that answers one message at a time."""

    if TYPE_CHECKING:
        request_handlers: Any
        notification_handlers: Any

        @property
        def task_support(self) -> Any:
            """What the server runs tasks with; `None` if tasks are not enabled."""
            ...

        @property
        def masked(self) -> bool:
            """Whether clients do not see the messages of unexpected exceptions."""
            ...

    async def _handle_message(
        self, message: Any, session: ServerSession, lifespan_context: Any, raise_exceptions: bool = False
    ) -> None:
        if isinstance(message, Exception):
            logger.error("Received exception from stream: %s", message)
            where = "mcp.server.exception_handler"
            await session.send_log_message(level="error", data="Internal Server Error", logger=where)
            if raise_exceptions:
                raise message
        elif hasattr(message, "respond"):
            with message as responder:
                request = responder.request.root
                await self._handle_request(responder, request, session, lifespan_context, raise_exceptions)
        else:
            await self._handle_notification(message.root)

    async def _handle_request(
        self,
        message: RequestResponder[Any, Any],
        req: Any,
        session: ServerSession,
        lifespan_context: Any,
        raise_exceptions: bool,
    ) -> None:
        logger.info("Processing request of type %s", type(req).__name__)
        context = _context_of(message, req, session, lifespan_context, self.task_support)
        # Imported late: programs that the engine serves need no anyio for this.
        from anyio import BrokenResourceError, ClosedResourceError, get_cancelled_exc_class

        token = request_ctx.set(cast("Any", context))
        try:
            response: Any = await self._answer(req, context)
        except get_cancelled_exc_class():
            if message.cancelled:
                # The client cancelled the request; what is left is to leave the responder's
                # scope.
                return
            raise
        except Exception as error:
            if raise_exceptions and not isinstance(error, McpError):
                raise
            response = self._error_of(error, req.method)
        finally:
            request_ctx.reset(token)
        try:
            await message.respond(response)
        except (BrokenResourceError, ClosedResourceError):
            logger.debug("Response for %s dropped - transport closed", message.request_id)

    async def _answer(self, req: Any, context: RequestContext[Any, Any, Any]) -> Any:
        from ._bymethod import MethodHandler

        table: HandlerTable = self.request_handlers
        handler = table.of(req.method)
        if handler is None:
            raise method_not_found(req.method)
        if not isinstance(handler, MethodHandler):
            return await handler(req)
        from ._handlers import wrapped_model

        given = _by_method(context, req)
        return wrapped_model(await handler.call(given, handler.params_type.model_validate(dict(given.params or {}))))

    def _error_of(self, error: Exception, method: str) -> types.ErrorData:
        from ...types import ErrorData

        if isinstance(error, McpError) and not face.current.keeps_codes:
            return error.error
        row = failure_row(0, error, method if self.masked else None)
        return ErrorData(code=row[3], message=row[4], data=None if row[5] is None else _loads(row[5]))

    async def _handle_notification(self, notify: Any) -> None:
        from ._bymethod import MethodHandler

        table: HandlerTable = self.notification_handlers
        handler = table.of(notify.method)
        # Handlers of the 2.x kind need a context, which only connections of the engine have.
        if handler is None or isinstance(handler, MethodHandler):
            return
        try:
            await handler(notify)
        except Exception:
            logger.exception("Uncaught exception in notification handler")


def _loads(text: str) -> Any:
    from ..._mcpbolt import loads

    return loads(text)


def _context_of(
    message: RequestResponder[Any, Any], req: Any, session: ServerSession, lifespan_context: Any, support: Any
) -> RequestContext[Any, Any, Any]:
    from ..experimental.request_context import experimental_of

    beside = message.message_metadata
    return RequestContext(
        message.request_id,
        message.request_meta,
        session,
        lifespan_context,
        experimental_of(getattr(req.params, "task", None), session, support),
        request=getattr(beside, "request_context", None),
        close_sse_stream=getattr(beside, "close_sse_stream", None),
        close_standalone_sse_stream=getattr(beside, "close_standalone_sse_stream", None),
    )


def _by_method(context: RequestContext[Any, Any, Any], req: Any) -> Any:
    from ..._engine.json import model_dict
    from ..context import ServerRequestContext

    params: Any = model_dict(req).get("params")
    meta: Any = params.get("_meta") if params else None
    return ServerRequestContext(
        session=context.session,
        lifespan_context=context.lifespan_context,
        protocol_version=str(context.session.protocol_version or ""),
        method=req.method,
        params=params,
        request_id=context.request_id,
        meta=meta,
        request=context.request,
    )
