"""What who watches has to see.

Owns: one function for each promise of docs/guide/debugging.md and of the pages in docs/guide/deploy.md.
Must not know: how programs are started.
"""

from __future__ import annotations

import json
import subprocess
import urllib.parse
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from arrivals import CLIENT, SERVER, Arrivals, Span
from processes import Failed, Program, until

REVISIONS = ("2025-11-25", "2026-07-28")
# Who a call goes through, and as what each has a span of it.
WAY = (
    ("client", CLIENT),
    ("node", SERVER),
    ("node", CLIENT),
    ("rust", SERVER),
    ("rust", CLIENT),
    ("python", SERVER),
)
SIDES = {CLIENT: "client", SERVER: "server"}
BOUNDS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300)
CALL = {"mcp.method.name": "tools/call", "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "relay"}
# Most seconds until something that was recorded has arrived.
ARRIVES = 20.0


@dataclass
class Watched:
    """Servers by their language, and the program that calls the first."""

    servers: dict[str, Program]
    client: list[str]

    def call(self, revision: str) -> str:
        """Two calls, one of which fails. Returns their trace.

        Raises:
            Failed: The client failed.
        """
        url = f"http://127.0.0.1:{self.servers['node'].port}/mcp"
        done = subprocess.run([*self.client, url, revision], capture_output=True, text=True, timeout=60)
        if done.returncode != 0:
            raise Failed(done.stderr[-2000:])
        return done.stdout.strip()


def _expect(holds: bool, what: Any) -> None:
    if not holds:
        raise Failed(str(what))


def one_trace_runs_through_all_languages(watched: Watched, arrivals: Arrivals) -> str:
    for revision in REVISIONS:
        trace = watched.call(revision)

        def relays(trace: str = trace) -> list[Span]:
            return [span for span in arrivals.spans(trace) if span.name.endswith("tools/call relay")]

        until(lambda relays=relays: len(relays()) >= 2 * len(WAY), f"spans of {revision} arrive", ARRIVES)
        [program] = [span for span in arrivals.spans(trace) if span.name == "program"]
        begun = [span for span in relays() if span.parent == program.id]
        _expect(len(begun) == 2 and len(relays()) == 2 * len(WAY), relays())
        for span in begun:
            _follow(span, relays(), revision)
    return f"{len(WAY)} spans of each call, in {len(REVISIONS)} revisions, each the parent of the next"


def _follow(span: Span, spans: list[Span], revision: str) -> None:
    """From a client's span to the last server's."""
    fails = span.failed
    for place, (service, kind) in enumerate(WAY):
        # As the official package for Python names it.
        prefix = "MCP send " if (service, kind) == ("client", CLIENT) else ""
        _expect((span.service, span.kind, span.name) == (service, kind, f"{prefix}tools/call relay"), span)
        said = dict(span.attributes)
        _expect(str(said.pop("jsonrpc.request.id", None)).isdigit(), span)
        failure = {"error.type": "tool_error"} if fails else {}
        _expect(said == {**CALL, "mcp.protocol.version": revision, **failure}, span)
        _expect(span.scope == "mcpbolt" and span.failed == fails, span)
        below = [other for other in spans if other.parent == span.id]
        _expect(len(below) == (place + 1 < len(WAY)), below)
        if below:
            [span] = below


def durations_of_calls_and_sessions_arrive(watched: Watched, arrivals: Arrivals) -> str:
    for revision in REVISIONS:
        watched.call(revision)
        said = {**CALL, "mcp.protocol.version": revision}
        for service, kind in WAY:
            side = SIDES[kind]
            for attributes in (said, {**said, "error.type": "tool_error"}):
                _arrives(arrivals, service, f"mcp.{side}.operation.duration", attributes)
            # The revision without sessions has none at a server.
            if kind == CLIENT or revision < "2026":
                _arrives(arrivals, service, f"mcp.{side}.session.duration", {"mcp.protocol.version": revision})
    for service in watched.servers:
        sessions = [point.attributes for point in arrivals.points(service, "mcp.server.session.duration")]
        _expect(sessions == [{"mcp.protocol.version": REVISIONS[0]}], sessions)
    return "both sides in Rust, Python and Node, in seconds, in the buckets of the conventions"


def _arrives(arrivals: Arrivals, service: str, name: str, attributes: dict[str, Any]) -> None:
    def found() -> bool:
        return any(point.attributes == attributes for point in arrivals.points(service, name))

    try:
        until(found, f"{name} of {service} with {attributes}", ARRIVES)
    except Failed as late:
        raise Failed(f"{late}; there are {arrivals.points(service, name)}") from None
    for point in arrivals.points(service, name):
        _expect((point.unit, point.bounds) == ("s", BOUNDS) and point.count > 0, point)


def prometheus_scrapes_all_languages(watched: Watched, prometheus: Program) -> str:
    for revision in REVISIONS:
        watched.call(revision)
    for language in watched.servers:
        wanted = {
            f'up{{job="{language}"}}': 1.0,
            f'sum(mcpbolt_calls_total{{job="{language}",method="tools/call"}})': 2.0 * len(REVISIONS),
        }
        for query, least in wanted.items():
            until(
                lambda query=query, least=least: _value(prometheus, query) >= least,
                f"{query} is at least {least}; {_targets(prometheus)}",
                ARRIVES,
            )
    return f"the counters of {', '.join(watched.servers)}"


def _value(prometheus: Program, query: str) -> float:
    results = _ask(prometheus, f"query?query={urllib.parse.quote(query)}")["result"]
    return float(results[0]["value"][1]) if results else 0.0


def _targets(prometheus: Program) -> list[Any]:
    return [(row["scrapeUrl"], row["lastError"]) for row in _ask(prometheus, "targets")["activeTargets"]]


def _ask(prometheus: Program, what: str) -> Any:
    with urllib.request.urlopen(f"http://127.0.0.1:{prometheus.port}/api/v1/{what}", timeout=10) as answer:
        return json.load(answer)["data"]


COLLECTED: list[Callable[[Watched, Arrivals], str]] = [
    one_trace_runs_through_all_languages,
    durations_of_calls_and_sessions_arrive,
]
SCRAPED: list[Callable[[Watched, Program], str]] = [prometheus_scrapes_all_languages]
