"""Durations of calls and sessions, where a program has OpenTelemetry's metrics."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterator
from typing import Any

import pytest
from bounds import WHOLE

from mcpbolt import Client, MCPError
from mcpbolt.client import ClientExtension, ExtensionMethod
from mcpbolt.server import MCPServer
from mcpbolt.server.extension import Extension, MethodBinding
from mcpbolt.server.mcpserver.exceptions import ToolError
from mcpbolt.types import RequestParams

metrics = pytest.importorskip("opentelemetry.metrics", reason="opentelemetry-api is not installed")
pytest.importorskip("opentelemetry.sdk.metrics", reason="opentelemetry-sdk is not installed")
from opentelemetry.sdk.metrics import MeterProvider  # noqa: E402
from opentelemetry.sdk.metrics.export import AggregationTemporality, Histogram, InMemoryMetricReader  # noqa: E402
from opentelemetry.util._once import Once  # noqa: E402

ERAS = pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
BOUNDS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300)


@pytest.fixture
def reader() -> Iterator[InMemoryMetricReader]:
    from opentelemetry.sdk.metrics import Histogram as Instrument

    internal: Any = metrics._internal
    found = InMemoryMetricReader(preferred_temporality={Instrument: AggregationTemporality.DELTA})
    metrics.set_meter_provider(MeterProvider([found]))
    yield found
    # The API takes one provider per process, and keeps it; other tests go without.
    internal._METER_PROVIDER = None
    internal._METER_PROVIDER_SET_ONCE = Once()


def run(work: Awaitable[Any]) -> Any:
    return asyncio.run(asyncio.wait_for(work, WHOLE))


def server() -> MCPServer[Any]:
    made = MCPServer("x")

    @made.tool()
    async def works() -> str:
        return "done"

    @made.tool()
    def sorry() -> int:
        raise ToolError("no")

    @made.tool()
    async def refuse() -> int:
        raise MCPError(-5, "not you")

    return made


def points(reader: InMemoryMetricReader) -> dict[str, list[tuple[dict[str, Any], int]]]:
    """By the name of a metric the attributes and the count of each point since the last look."""
    data = reader.get_metrics_data()
    found: dict[str, list[tuple[dict[str, Any], int]]] = {}
    for resource in data.resource_metrics if data is not None else ():
        for metric in (metric for scope in resource.scope_metrics for metric in scope.metrics):
            assert isinstance(metric.data, Histogram) and metric.unit == "s"
            for point in metric.data.data_points:
                assert tuple(point.explicit_bounds) == BOUNDS and point.sum >= 0
                found.setdefault(metric.name, []).append((dict(point.attributes or {}), point.count))
    return found


@ERAS
def test_calls_and_sessions_are_measured_on_both_sides(reader: InMemoryMetricReader, mode: str) -> None:
    before: dict[str, Any] = {}

    async def test() -> None:
        async with Client(server(), mode=mode) as client:
            for _ in range(2):
                await client.call_tool("works")
            assert (await client.call_tool("sorry")).isError
            with pytest.raises(MCPError):
                await client.call_tool("refuse")
            before.update(points(reader))

    run(test())
    assert not any("session" in name for name in before), "sessions are measured when they end"
    seen = {**before, **points(reader)}
    revision = {"mcp.protocol.version": "2025-11-25" if mode == "legacy" else mode}
    call = {"mcp.method.name": "tools/call", "gen_ai.operation.name": "execute_tool", **revision}
    for side in ("client", "server"):
        calls = seen[f"mcp.{side}.operation.duration"]
        assert ({**call, "gen_ai.tool.name": "works"}, 2) in calls
        assert ({**call, "gen_ai.tool.name": "sorry", "error.type": "tool_error"}, 1) in calls
        coded = {"error.type": "-5", "rpc.response.status_code": "-5"}
        assert ({**call, "gen_ai.tool.name": "refuse", **coded}, 1) in calls
    assert seen["mcp.client.session.duration"] == [(revision, 1)]
    # The revision without sessions has none to measure at a server.
    assert seen.get("mcp.server.session.duration", []) == ([(revision, 1)] if mode == "legacy" else [])


def test_names_that_a_peer_makes_up_become_no_series(reader: InMemoryMetricReader) -> None:
    async def test() -> None:
        async with Client(server(), mode="2026-07-28") as client:
            for name in ("made up", "another"):
                with pytest.raises(MCPError):
                    await client.call_tool(name)

    run(test())
    seen = points(reader)
    for side in ("client", "server"):
        failed = [said for said, _ in seen[f"mcp.{side}.operation.duration"] if said.get("error.type") == "-32602"]
        assert len(failed) == 1 and "gen_ai.tool.name" not in failed[0], seen


MIX = "com.example/mix"


class Mixing(Extension):
    identifier = "com.example/colours"

    def methods(self) -> list[MethodBinding]:
        async def mix(ctx: Any, params: RequestParams) -> dict[str, Any]:
            return {}

        return [MethodBinding(MIX, RequestParams, mix)]


class Mixer(ClientExtension):
    identifier = Mixing.identifier

    def methods(self) -> list[ExtensionMethod]:
        return [ExtensionMethod(MIX)]


@ERAS
def test_a_method_of_a_declared_extension_has_its_name_and_no_other_has(
    reader: InMemoryMetricReader, mode: str
) -> None:
    async def test() -> None:
        async with Client(MCPServer("x", extensions=[Mixing()]), mode=mode, extensions=[Mixer()]) as client:
            await client.session.ask(MIX, "{}")
            for name in ("com.example/made-up", "com.example/another"):
                with pytest.raises(MCPError):
                    await client.session.ask(name, "{}")

    run(test())
    seen = points(reader)
    for side in ("client", "server"):
        methods = [said["mcp.method.name"] for said, _ in seen[f"mcp.{side}.operation.duration"]]
        assert methods.count(MIX) == 1 and not any("made-up" in name or "another" in name for name in methods), seen
    assert ("_OTHER", 2) in [(said["mcp.method.name"], n) for said, n in seen["mcp.client.operation.duration"]]


def test_nothing_is_measured_without_a_provider() -> None:
    from mcpbolt._engine import otel

    assert not otel.measures()


class Unhashable(MeterProvider):
    """As that of a library which wraps the program's."""

    __hash__ = None  # type: ignore[assignment]


class Failing(MeterProvider):
    def get_meter(self, *_: Any, **__: Any) -> Any:
        raise RuntimeError("no meter today")


@pytest.mark.parametrize("kind", [Unhashable, Failing])
def test_calls_go_on_with_any_provider(
    reader: InMemoryMetricReader, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, kind: Any
) -> None:
    monkeypatch.setattr("opentelemetry.metrics._internal._METER_PROVIDER", kind([InMemoryMetricReader()]))

    async def test() -> None:
        async with Client(server(), mode="legacy") as client:
            assert not (await client.call_tool("works")).isError

    run(test())
    assert ("no meter today" in caplog.text) == (kind is Failing)
