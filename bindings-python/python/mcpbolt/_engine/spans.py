"""Spans and trace context through OpenTelemetry.

Owns: names and attributes of spans, and W3C trace context in `_meta`. Imported only if tracing
is on.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any, cast

from .json import JSON_TEXT, dumps

_NAME = "mcpbolt"


class ServerSpan:
    """The span of one message that a server received."""

    def __init__(self, span: Any) -> None:
        self._span = span

    def failed(self, error: BaseException) -> None:
        """Record an exception of the handler."""
        from opentelemetry.trace import StatusCode

        # Errors of the protocol say on which side they happened.
        if hasattr(error, "local"):
            coded = cast("Any", error)
            code = str(coded.code)
            self._span.set_attributes({"error.type": code, "rpc.response.status_code": code})
            self._span.set_status(StatusCode.ERROR, coded.message)
            return
        self._span.set_attribute("error.type", type(error).__qualname__)
        self._span.record_exception(error)
        self._span.set_status(StatusCode.ERROR, str(error))

    def answered(self, answer: Any) -> None:
        """Record the answer of a tool call; a result with `isError` counts as an error too."""
        from opentelemetry.trace import StatusCode

        if _is_tool_error(answer):
            self._span.set_attribute("error.type", "tool_error")
            self._span.set_status(StatusCode.ERROR)


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
    method: str, params: Any, meta: Mapping[str, Any] | None, revision: str | None, request_id: Any
) -> Generator[ServerSpan, None, None]:
    """A span around a message of a client; a child of the client's span if it sent trace
    context.
    """
    from opentelemetry.trace import SpanKind, get_tracer

    target = _target(params)
    attributes: dict[str, Any] = {"mcp.method.name": method}
    if revision:
        attributes["mcp.protocol.version"] = revision
    if request_id is not None:
        attributes["jsonrpc.request.id"] = str(request_id)
    if method == "tools/call":
        attributes["gen_ai.operation.name"] = "execute_tool"
        if target is not None:
            attributes["gen_ai.tool.name"] = target
    elif method == "prompts/get" and target is not None:
        attributes["gen_ai.prompt.name"] = target
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
            raise


@contextmanager
def client_span(method: str, params: str | None) -> Generator[str | None, None, None]:
    """A span around a request; yields the params, as JSON text, with the trace context in
    `_meta`.
    """
    from opentelemetry.propagate import inject
    from opentelemetry.trace import SpanKind, get_tracer

    values: dict[str, Any] = {} if params is None else json.loads(params)
    name = f"MCP send {_span_name(method, _target(values))}"
    with get_tracer(_NAME).start_as_current_span(
        name, kind=SpanKind.CLIENT, attributes={"mcp.method.name": method}
    ):
        meta: dict[str, Any] = dict(values.get("_meta") or {})
        inject(meta)
        yield dumps({**values, "_meta": meta}) if meta else params


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
