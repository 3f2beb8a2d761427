"""Spans of calls, and trace context, through OpenTelemetry.

Owns: names and attributes of spans, and W3C trace context in `_meta`. Imported only if the
program has turned OpenTelemetry on. Must not know: who exports.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from time import perf_counter
from typing import Any, cast

from .durations import Rows, record_call
from .json import JSON_TEXT, dumps

_NAME = "mcpbolt"


class ServerSpan:
    """The span of one message that a server received."""

    def __init__(self, span: Any) -> None:
        self._span = span
        self.failure: dict[str, str] = {}

    def failed(self, error: BaseException) -> None:
        """Record an exception of the handler."""
        from opentelemetry.trace import StatusCode

        # Errors of the protocol say on which side they happened.
        if hasattr(error, "local"):
            coded = cast("Any", error)
            self._fails(_coded(coded.code))
            self._span.set_status(StatusCode.ERROR, coded.message)
            return
        self._fails({"error.type": type(error).__qualname__})
        self._span.record_exception(error)
        self._span.set_status(StatusCode.ERROR, str(error))

    def answered(self, answer: Any) -> None:
        """Record the answer of a tool call; a result with `isError` counts as an error too."""
        from opentelemetry.trace import StatusCode

        if _is_tool_error(answer):
            self._fails({"error.type": "tool_error"})
            self._span.set_status(StatusCode.ERROR)

    def _fails(self, attributes: dict[str, str]) -> None:
        self.failure = attributes
        self._span.set_attributes(attributes)


def _is_tool_error(answer: Any) -> bool:
    if isinstance(answer, JSON_TEXT):
        # Cheap check that spares parsing most results.
        text = str(answer)
        answer = json.loads(text) if '"isError":true' in text else None
    if isinstance(answer, dict):
        return cast("dict[str, Any]", answer).get("isError") is True
    return getattr(answer, "isError", False) is True


@contextmanager
def server_span(
    method: str,
    params: Any,
    meta: Mapping[str, Any] | None,
    revision: str | None,
    request_id: Any,
    declared: Rows,
) -> Generator[ServerSpan, None, None]:
    """A span around a message of a client; a child of the client's span if it sent trace
    context. `declared`: the methods of the server's extensions.
    """
    from opentelemetry.trace import SpanKind, get_tracer

    target = _target(params)
    attributes = _attributes(method, target, revision)
    if request_id is not None:
        attributes["jsonrpc.request.id"] = str(request_id)
    since = perf_counter()
    with get_tracer(_NAME).start_as_current_span(
        _span_name(method, target),
        kind=SpanKind.SERVER,
        attributes=attributes,
        context=_context_in(meta),
        record_exception=False,
        set_status_on_exception=False,
    ) as span:
        found = ServerSpan(span)
        try:
            yield found
        except BaseException as error:
            if isinstance(error, Exception):
                found.failed(error)
            else:
                found.failure = {"error.type": "cancelled"}
            raise
        finally:
            record_call("server", since, {**attributes, **found.failure}, declared)


@contextmanager
def client_span(
    method: str, params: str | None, revision: str | None, declared: Rows
) -> Generator[Sent, None, None]:
    """A span around a request; yields the params to send, with the trace context in `_meta`.
    `declared`: the methods of the extensions of whoever sends it.
    """
    from opentelemetry.propagate import inject
    from opentelemetry.trace import SpanKind, StatusCode, get_tracer

    values: dict[str, Any] = {} if params is None else json.loads(params)
    target = _target(values)
    attributes = _attributes(method, target, revision)
    since = perf_counter()
    with get_tracer(_NAME).start_as_current_span(
        f"MCP send {_span_name(method, target)}", kind=SpanKind.CLIENT, attributes=attributes
    ) as span:
        sent = Sent(params, span)
        meta: dict[str, Any] = dict(values.get("_meta") or {})
        inject(meta)
        if meta:
            sent.params = dumps({**values, "_meta": meta})
        try:
            yield sent
        except BaseException as error:
            sent.failure = _failure_at_client(error)
            raise
        finally:
            if sent.failure:
                span.set_attributes(sent.failure)
                # What was raised adds its words to it.
                span.set_status(StatusCode.ERROR)
            record_call("client", since, {**attributes, **sent.failure}, declared)


class Sent:
    """A request under way."""

    def __init__(self, params: str | None, span: Any) -> None:
        self.params = params
        """What is sent, as JSON text."""
        self.failure: dict[str, str] = {}
        self._span = span

    def sent_as(self, request_id: str) -> None:
        """Note the JSON-RPC id under which it goes to the peer."""
        self._span.set_attribute("jsonrpc.request.id", request_id)

    def answered(self, answer: Any) -> None:
        """Note the answer of a tool call; a result with `isError` counts as an error."""
        if _is_tool_error(answer):
            self.failure = {"error.type": "tool_error"}


def _failure_at_client(error: BaseException) -> dict[str, str]:
    if not isinstance(error, Exception):
        return {"error.type": "cancelled"}
    code = getattr(error, "code", None)
    if code is None:
        return {"error.type": type(error).__qualname__}
    # What happened on this side, the peer has sent no code for.
    if getattr(error, "local", False):
        return {"error.type": str(getattr(error, "kind", type(error).__qualname__))}
    return _coded(code)


def _coded(code: int) -> dict[str, str]:
    """A failure with a JSON-RPC error."""
    return {"error.type": str(code), "rpc.response.status_code": str(code)}


def _attributes(method: str, target: str | None, revision: str | None) -> dict[str, Any]:
    """What is said of a call on both sides."""
    said: dict[str, Any] = {"mcp.method.name": method}
    if revision:
        said["mcp.protocol.version"] = revision
    if method == "tools/call":
        said["gen_ai.operation.name"] = "execute_tool"
        if target is not None:
            said["gen_ai.tool.name"] = target
    elif method == "prompts/get" and target is not None:
        said["gen_ai.prompt.name"] = target
    return said


def _span_name(method: str, target: str | None) -> str:
    return f"{method} {target}" if target else method


def _target(params: Any) -> str | None:
    name = cast("dict[str, Any]", params).get("name") if isinstance(params, dict) else None
    return name if isinstance(name, str) else None


def _context_in(meta: Mapping[str, Any] | None) -> Any:
    """The trace context that a peer sent; `None` without a valid one, so that the span belongs
    to the current one.
    """
    if not meta or "traceparent" not in meta:
        return None
    from opentelemetry.propagate import extract
    from opentelemetry.trace import get_current_span

    try:
        context = extract(meta)
    except (TypeError, ValueError):
        return None
    return context if get_current_span(context).get_span_context().is_valid else None
