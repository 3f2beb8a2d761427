"""From a message to the handler that answers it.

Owns: choosing the handler, its arguments, and the middleware around it. Must not know: how an
answer is sent.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Coroutine
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from .._engine import face, otel
from .._engine.items import NotificationItem, RequestItem, Row
from .._engine.json import JSON_TEXT, NotFiniteError, dumps, refuse_not_finite, result_text
from .._engine.methods import ENGINES
from .._engine.protocol import LEGACY_REVISIONS, METHODS
from .._engine.questions import is_question
from ._error_responses import (
    UnknownResourceMixin,
    as_asked,
    failure_row,
    introduction,
    invalid_params,
    log_unexpected,
    method_not_found,
    without_its_words,
)
from .lowlevel._bymethod import MethodHandler
from .lowlevel._handlers import Handler
from .lowlevel._tool_results import error_text

if TYPE_CHECKING:
    from .._engine.host import ServerHost
    from ._live import LiveContext
    from .context import ServerRequestContext
    from .lowlevel._table import HandlerTable
    from .request_state import RequestStateBoundary

logger = logging.getLogger("mcp.server.lowlevel.server")

PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion"

# JSON text, or questions to the client.
Answer = Any


def answer_to(host: ServerHost, live: LiveContext) -> Awaitable[Answer]:
    """Answer a request."""
    item = live.item
    boundary = host.server.state_boundary
    if boundary is not None:
        from ._sealing import open_state

        open_state(boundary, live)
    if item.method == "tools/call" and face.current.checks_repeats and host.server.provider is None:
        return _compared(host, item, live)
    if item.method in host.server.cache_hints:
        return _hinted(host, item, live)
    if item.method == "completion/complete" and face.current.cuts_completions:
        from ._completing import bounded

        return bounded(_observed(host, item, live))
    return _observed(host, item, live)


async def _compared(host: ServerHost, item: RequestItem, live: LiveContext) -> Answer:
    """Answer a tool call whose headers repeat its arguments."""
    from ._param_check import check

    lists = host.handles("tools/list")

    async def page(cursor: str | None) -> Answer:
        params = None if cursor is None else {"cursor": cursor}
        listing = item._replace(method="tools/list", params=params)
        return await _inside(host, listing, cast("LiveContext", host.face.live(host, listing)))

    lookup = getattr(host.server, "get_tool_input_schema", None)
    await check(live.about, item.params, lookup, page if lists else None)
    return await _observed(host, item, live)


async def _hinted(host: ServerHost, item: RequestItem, live: LiveContext) -> Answer:
    """Answer a request and add the server's cache hint if the handler set none. The engine
    adds hints only to answers of its own.
    """
    answer = await _observed(host, item, live)
    if not isinstance(answer, JSON_TEXT) or live.about.get("era") != "modern":
        return answer
    hint = host.server.cache_hints[item.method]
    return dumps({"ttlMs": hint.ttl_ms, "cacheScope": hint.scope, **json.loads(str(answer))})


def _traces(host: ServerHost) -> bool:
    return otel.is_on() and getattr(host.server, "makes_spans", True)


def _observed(host: ServerHost, item: RequestItem, live: LiveContext) -> Awaitable[Answer]:
    if _traces(host):
        return _traced(host, item, live)
    return _inside(host, item, live)


async def _traced(host: ServerHost, item: RequestItem, live: LiveContext) -> Answer:
    from .._engine.spans import server_span

    about, declared = live.about, host.server.extension_methods
    revision = about.get("revision")
    with server_span(item.method, item.params, live.raw_meta, revision, live.request_id, declared) as span:
        answer = await _inside(host, item, live)
        if item.method == "tools/call":
            span.answered(answer)
        elif item.method == "initialize" and not host.stateless:
            host.lasting.begin(item.connection, lambda: about.get("revision"))
        return answer


def answer_sync(host: ServerHost, live: LiveContext) -> Answer:
    """Answer a tool call on a worker thread."""
    boundary = host.server.state_boundary
    if boundary is not None:
        from ._sealing import open_state

        open_state(boundary, live)
    if not _traces(host):
        return _call_sync(host, live)
    from .._engine.spans import server_span

    item = live.item
    revision, declared = live.about.get("revision"), host.server.extension_methods
    with server_span(item.method, item.params, live.raw_meta, revision, live.request_id, declared) as span:
        answer = _call_sync(host, live)
        span.answered(answer)
        return answer


def _call_sync(host: ServerHost, live: LiveContext) -> Answer:
    called = tool_and_arguments(live.item.params)
    if called is None:
        raise invalid_params()
    return host.server.provider.call_sync(*called)


def _inside(host: ServerHost, item: RequestItem, live: LiveContext) -> Awaitable[Answer]:
    if host.server.middleware or item.method in host.server.hooks:
        return _wrapped(host, item, live)
    return _tool_call(host, item) or _handled(host, item, live)


@cache
def _context_of() -> Callable[[LiveContext], ServerRequestContext[Any, Any]]:
    # Imported late: servers that only get tool calls never need it.
    from .context import context_of

    return context_of


async def _wrapped(host: ServerHost, item: RequestItem, live: LiveContext) -> Answer:
    from ._middleware import run_through, values_of

    async def inner(context: ServerRequestContext[Any, Any]) -> Any:
        params = None if context.params is None else dict(context.params)
        if params is not None and "requestState" in params:
            # Handlers see the state that the middleware made of it.
            live.about["requestState"] = params["requestState"]
        changed = item._replace(method=context.method, params=params)
        short = _tool_call(host, changed)
        try:
            return values_of(await (_handled(host, changed, live, context) if short is None else short))
        except Exception as error:
            live.raised = error
            raise

    chain = [*host.server.middleware, *host.server.hooks.get(item.method, ())]
    return outcome(await run_through(chain, _context_of()(live), inner))


def _tool_call(host: ServerHost, item: RequestItem) -> Awaitable[Answer] | None:
    """Call a tool without making models; `None` if the request is not suited for that."""
    if item.method != "tools/call":
        return None
    handler = host.table.of("tools/call")
    if not isinstance(handler, Handler) or handler.tool is None:
        return None
    called = tool_and_arguments(item.params)
    return None if called is None else handler.tool(*called)


def tool_and_arguments(params: Any) -> tuple[str, dict[str, Any]] | None:
    """Name and arguments of a tool call; `None` if the params are invalid."""
    if not isinstance(params, dict):
        return None
    # Without `cast`, which is a call: each call of a tool passes here.
    given: dict[str, Any] = params  # pyright: ignore
    name, arguments = given.get("name"), given.get("arguments")
    if not isinstance(name, str) or not (arguments is None or isinstance(arguments, dict)):
        return None
    return name, arguments or {}  # pyright: ignore


async def _handled(
    host: ServerHost, item: RequestItem, live: LiveContext, context: ServerRequestContext[Any, Any] | None = None
) -> Answer:
    method = item.method
    handler = host.table.of(method)
    if handler is None:
        text = None if not face.current.fills_in and method not in ENGINES else introduction(method, host.introduction(), _wanted(item, live))
        if text is None:
            if face.current.api == 2 and method in METHODS:
                # Params that do not fit are the first thing that a client is told of.
                _params(MethodHandler(_nothing, METHODS[method].params), context or _context_of()(live))
            raise method_not_found(method)
        return text
    host.asked_for(method)
    if isinstance(handler, MethodHandler):
        context = context or _context_of()(live)
        params = _params(handler, context)
        return outcome(await handler.call(context, params))
    request = _request(_class_of(host, method), method, item.params)
    call = handler.answer if isinstance(handler, Handler) else handler
    return outcome(await call(request))


def _wanted(item: RequestItem, live: LiveContext) -> str:
    """The revision that the answer to a handshake names."""
    params: Any = item.params
    given = cast("dict[str, Any]", params if isinstance(params, dict) else {})
    said: Any = given.get("protocolVersion")
    return str(said) if said in LEGACY_REVISIONS else str(live.about.get("revision") or "")


async def _nothing(_: Any, __: Any) -> None:
    """Stands for the handler that there is not."""


def _class_of(host: ServerHost, method: str) -> Any:
    return cast("HandlerTable", host.table).class_of(method)


def _params(handler: MethodHandler, context: ServerRequestContext[Any, Any]) -> Any:
    try:
        return handler.params_type.model_validate(dict(context.params or {}))
    except ValueError as error:
        logger.warning("Failed to validate request: %s", error)
        raise invalid_params() from None


def _request(kind: Any, method: str, params: Any) -> Any:
    try:
        return kind.model_validate(message_of(method, params))
    except ValueError as error:
        logger.warning("Failed to validate request: %s", error)
        raise invalid_params() from None


def message_of(method: str, params: Any) -> dict[str, Any]:
    """A message in the form that its class parses."""
    return {"method": method} if params is None else {"method": method, "params": params}


def outcome(result: Any) -> Answer:
    """What a handler returned, as JSON text or as questions to the client."""
    if result is None:
        return "{}"
    if isinstance(result, JSON_TEXT):
        return result
    if isinstance(result, dict):
        values = cast("dict[str, Any]", result)
        if values.get("resultType") == "input_required":
            from ..types import InputRequiredResult

            return InputRequiredResult.model_validate(values)
        try:
            refuse_not_finite(values.get("structuredContent"))
        except NotFiniteError as error:
            return error_text(str(error))
        return dumps(values)
    inner = getattr(result, "root", result)
    if is_question(inner):
        return inner
    try:
        return result_text(inner)
    except NotFiniteError as error:
        return error_text(str(error))


def questions_of(
    result: Any, boundary: RequestStateBoundary | None = None, live: LiveContext | None = None
) -> tuple[list[tuple[str, str, str | None]], str | None]:
    """Convert an `InputRequiredResult` for the engine: questions by key, and the state. A
    boundary seals the state before the engine does.
    """
    rows: list[tuple[str, str, str | None]] = []
    requests: dict[str, Any] = result.inputRequests or {}
    for key, request in requests.items():
        values: dict[str, Any] = request.model_dump(by_alias=True, mode="json", exclude_none=True)
        params = values.get("params")
        rows.append((key, values["method"], None if params is None else dumps(params)))
    state: str | None = result.requestState
    if boundary is not None and live is not None and state is not None:
        from ._sealing import seal_state

        state = seal_state(boundary, live, state)
    return rows, state


# Notifications


def notified(host: ServerHost, item: NotificationItem) -> Coroutine[Any, Any, None] | None:
    """Call the handler that is registered for a notification, if there is one."""
    if host.server.notification_handlers.of(item.method) is None and not host.server.middleware:
        return None
    return _notify_safely(host, item)


async def _notify_safely(host: ServerHost, item: NotificationItem) -> None:
    try:
        if host.server.middleware:
            await _notify_wrapped(host, item)
        else:
            await _notify(host, item.method, item.params, None, item)
    except Exception:
        logger.exception("Uncaught exception in notification handler")


async def _notify_wrapped(host: ServerHost, item: NotificationItem) -> None:
    from ._middleware import run_through

    async def inner(context: ServerRequestContext[Any, Any]) -> None:
        await _notify(host, context.method, context.params, context, item)

    await run_through(host.server.middleware, _context_of_note(host, item), inner)


async def _notify(host: ServerHost, method: str, params: Any, context: Any, item: NotificationItem) -> None:
    table = cast("HandlerTable", host.server.notification_handlers)
    handler: Callable[[Any], Any] | None = table.of(method)
    if handler is None:
        return
    if isinstance(handler, MethodHandler):
        context = context or _context_of_note(host, item)
        await handler.call(context, handler.params_type.model_validate(dict(params or {})))
        return
    await handler(table.class_of(method).model_validate(message_of(method, params)))


def _context_of_note(host: ServerHost, item: NotificationItem) -> ServerRequestContext[Any, Any]:
    from .context import ServerRequestContext

    connection, params = item.connection, item.params
    about = host.driver.inbox.describe_connection(connection) or {}
    members = cast("dict[str, Any]", params if isinstance(params, dict) else {})
    meta = cast("dict[str, Any]", members.get("_meta") if isinstance(members.get("_meta"), dict) else {})
    return ServerRequestContext(
        session=host.session(connection),
        lifespan_context=host.lifespan_context,
        # Without a handshake, the message itself names its revision.
        protocol_version=str(about.get("revision") or meta.get(PROTOCOL_VERSION) or ""),
        method=item.method,
        params=params if isinstance(params, dict) else None,  # pyright: ignore
        meta=meta or None,
    )


# For the host


def parse(host: ServerHost, method: str, params: Any) -> Any:
    """Parse a request into what its handler takes.

    Raises:
        ValueError: The params do not fit the method.
    """
    handler = host.table.of(method)
    if isinstance(handler, MethodHandler):
        return handler.params_type.model_validate(params or {})
    return _class_of(host, method).model_validate(message_of(method, params))


def failure_of(host: ServerHost, live: LiveContext, error: BaseException) -> Row:
    """The row that completes a call with an exception."""
    method = live.item.method
    if isinstance(error, UnknownResourceMixin):
        error = as_asked(error, host.server.guarding, live.item.params)
    if host.server.masked:
        return failure_row(live.call, error, method)
    by_method = isinstance(host.table.of(method), MethodHandler)
    wrapped = bool(host.server.middleware or method in host.server.hooks)
    # 1.x, which has neither these handlers nor middleware, tells only the client.
    if by_method or wrapped:
        log_unexpected(method, error, live.about)
    # What stands around a handler does not speak to clients, whatever the kind of the handler.
    if (by_method or (wrapped and error is not live.raised)) and live.about.get("era") == "modern":
        error = without_its_words(error)
    return failure_row(live.call, error)
