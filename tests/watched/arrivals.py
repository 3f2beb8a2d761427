"""What the collector received, and passed on to here.

Owns: an endpoint for OTLP as JSON, and what came there in words of the tests. Must not know: what
has to arrive.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SERVER, CLIENT = 2, 3
FAILED = 2


@dataclass(frozen=True)
class Span:
    """A span, and the program that it is of."""

    service: str
    scope: str
    name: str
    kind: int
    trace: str
    id: str
    parent: str
    failed: bool
    attributes: dict[str, Any]


@dataclass(frozen=True)
class Point:
    """A histogram of one set of attributes, as it stands."""

    unit: str
    bounds: tuple[float, ...]
    count: int
    attributes: dict[str, Any]


class Arrivals:
    """An endpoint on a port of its own."""

    def __init__(self) -> None:
        arrivals = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                arrivals._keep(body)
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, *_: object) -> None:
                pass

        self._lock = threading.Lock()
        self._spans: list[Span] = []
        self._points: dict[tuple[str, str, str], Point] = {}
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port: int = self._http.server_port
        threading.Thread(target=self._http.serve_forever, daemon=True).start()

    def spans(self, trace: str) -> list[Span]:
        """The spans of a trace so far."""
        with self._lock:
            return [span for span in self._spans if span.trace == trace]

    def points(self, service: str, name: str) -> list[Point]:
        """The newest points of a program's metric."""
        with self._lock:
            return [point for (of, named, _), point in self._points.items() if (of, named) == (service, name)]

    def end(self) -> None:
        """Nothing arrives any more."""
        self._http.shutdown()

    def _keep(self, body: dict[str, Any]) -> None:
        with self._lock:
            for service, scope, span in _each(body, "resourceSpans", "scopeSpans", "spans"):
                self._spans.append(_span(service, scope, span))
            for service, _, metric in _each(body, "resourceMetrics", "scopeMetrics", "metrics"):
                for point in metric.get("histogram", {}).get("dataPoints", []):
                    kept = _point(metric, point)
                    self._points[service, metric["name"], repr(sorted(kept.attributes.items()))] = kept


def _each(body: dict[str, Any], resources: str, scopes: str, rows: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for resource in body.get(resources, []):
        service = _attributes(resource["resource"]).get("service.name", "")
        for scope in resource[scopes]:
            for row in scope[rows]:
                yield service, scope.get("scope", {}).get("name", ""), row


def _span(service: str, scope: str, span: dict[str, Any]) -> Span:
    return Span(
        service,
        scope,
        span["name"],
        span["kind"],
        span["traceId"],
        span["spanId"],
        span.get("parentSpanId", ""),
        span.get("status", {}).get("code") == FAILED,
        _attributes(span),
    )


def _point(metric: dict[str, Any], point: dict[str, Any]) -> Point:
    return Point(metric.get("unit", ""), tuple(point["explicitBounds"]), int(point["count"]), _attributes(point))


def _attributes(row: dict[str, Any]) -> dict[str, Any]:
    return {pair["key"]: next(iter(pair["value"].values()), None) for pair in row.get("attributes", [])}
