"""The page of a server about itself, at `/docs`: off unless asked for, behind a key, a real session."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import textwrap
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from bounds import LIMIT
from http_servers import serving

from mcpbolt import FastMCP
from mcpbolt.server.mcpserver import MCPServer
from mcpbolt.shared.exceptions import UsageError

TOOL = textwrap.dedent(
    '''
    import sys

    port = int(sys.argv[1])

    def add(a: int, b: int) -> int:
        "Add two numbers."
        return a + b
    '''
)
ONE = TOOL + textwrap.dedent(
    """
    from mcpbolt import FastMCP
    mcp = FastMCP("shown", port=port, docs=True)
    mcp.add_tool(add)
    mcp.run("http")
    """
)
TWO = TOOL + textwrap.dedent(
    """
    from mcpbolt.server.mcpserver import MCPServer
    mcp = MCPServer("shown")
    mcp.add_tool(add)
    mcp.run("streamable-http", port=port, docs=True)
    """
)
FACES = pytest.mark.parametrize("program", [ONE, TWO], ids=["FastMCP", "MCPServer"])
MAKERS = pytest.mark.parametrize("maker", [FastMCP, MCPServer], ids=["FastMCP", "MCPServer"])


def events(lines: Iterator[str]) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in lines if line)


def first(told: Iterator[dict[str, Any]], kind: str, **members: Any) -> dict[str, Any]:
    return next(event for event in told if event["kind"] == kind and members.items() <= event.items())


@FACES
def test_a_person_with_the_url_calls_a_tool(program: str) -> None:
    with serving(program) as (url, process), httpx.Client(timeout=LIMIT) as http:
        assert process.stderr
        said = next(line for line in iter(process.stderr.readline, b"") if b"/docs/#token=" in line).decode()
        found = re.search(r"(http://\S+/docs/)#token=(\S+)", said)
        assert found and found[1] == f"{url}/docs/"
        page = http.get(found[1])
        assert page.status_code == 200 and "default-src 'none'" in page.headers["content-security-policy"]
        assert http.get(f"{url}/docs").headers["location"] == "docs/"
        assert http.post(f"{url}/docs/messages", json={}).status_code == 401
        key = {"x-mcpbolt-page": found[2]}
        with http.stream("GET", f"{url}/docs/events", headers=key) as response:
            told = events(response.iter_lines())
            assert first(told, "state", state="ready")["server"]["serverInfo"]["name"] == "shown"
            call = {"id": "p-1", "method": "tools/call", "params": {"name": "add", "arguments": {"a": 1, "b": 2}}}
            assert http.post(f"{url}/docs/messages", headers=key, json=call).status_code == 202
            answer = first(told, "answer", id="p-1")
            assert answer["result"]["content"][0]["text"] == "3"
            # An open page does not hold up the end.
            process.send_signal(signal.SIGTERM)
            assert process.wait(LIMIT) == 143


def test_there_is_no_page_unless_asked_for() -> None:
    with serving(ONE.replace(", docs=True", "")) as (url, _), httpx.Client(timeout=LIMIT) as http:
        assert http.get(f"{url}/docs/").status_code == 404


@MAKERS
def test_it_is_refused_where_other_machines_are(maker: Any) -> None:
    mcp = maker("shown")
    mcp.settings.docs, mcp.settings.host, mcp.settings.port = True, "0.0.0.0", 0
    with pytest.raises(UsageError, match=r"docs: 0\.0\.0\.0:\d+ can be reached from other machines.*listen on 127\.0\.0\.1"):
        asyncio.run(mcp.run_streamable_http_async())


@MAKERS
def test_a_route_at_its_path_is_named(maker: Any) -> None:
    mcp = maker("shown")
    mcp.settings.docs, mcp.settings.port = True, 0

    @mcp.custom_route("/docs/{name}", methods=["GET"])
    async def docs(request: Any) -> Any:
        raise AssertionError

    with pytest.raises(UsageError, match=r"docs: .* a custom route is at /docs/\{name\}"):
        asyncio.run(mcp.run_streamable_http_async())


@MAKERS
def test_web_servers_of_the_program_do_not_have_it(maker: Any) -> None:
    mcp = maker("shown")
    mcp.settings.docs = True
    for make in (mcp.streamable_http_app, mcp.sse_app):
        with pytest.raises(UsageError, match="docs: only the engine's own listener has the page.*mcpbolt inspect URL"):
            make()
    with pytest.raises(UsageError, match="docs: only"):
        asyncio.run(mcp.run_sse_async())
