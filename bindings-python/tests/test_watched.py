"""What those who watch a server over HTTP see: health, readiness, metrics."""

from __future__ import annotations

import re
import signal
from typing import Any

import anyio
import httpx
import pytest
from bounds import LIMIT
from http_servers import UVICORN, Client, serving

from mcpbolt.server.fastmcp import FastMCP
from mcpbolt.server.lowlevel import Server
from mcpbolt.server.mcpserver import MCPServer
from mcpbolt.shared.exceptions import UsageError

PAGES = {"health": "/healthz", "ready": "/readyz", "metrics": "/metrics"}
WORK = """
@mcp.tool()
def work() -> str:
    return "done"
"""
FIRST = f"import sys\nfrom mcpbolt.server.fastmcp import FastMCP\nport, pages = int(sys.argv[1]), {PAGES}\n"
FASTMCP = FIRST + "mcp = FastMCP('w', port=port, **pages, shutdown_delay=2)" + WORK + "mcp.run('http')\n"
SECOND = FIRST.replace("fastmcp import FastMCP", "mcpserver import MCPServer") + "mcp = MCPServer('w')" + WORK
MCPSERVER = SECOND + "mcp.run('http', port=port, **pages, shutdown_delay=2)\n"
ASGI = FIRST + "mcp = FastMCP('w', **pages)" + WORK + UVICORN.format(app="mcp.streamable_http_app()")
ASGI_2 = SECOND + UVICORN.format(app="mcp.streamable_http_app(**pages)")
OF_2 = SECOND.replace("mcpbolt.server.mcp", "mcpbolt.v2.server.mcp") + UVICORN.format(
    app="mcp.streamable_http_app(**pages)"
)
PLAIN = FIRST + "mcp = FastMCP('w', port=port)" + WORK + "mcp.run('http')\n"
GUARDED = (
    FIRST
    + """
from mcpbolt.server.auth.provider import AccessToken
from mcpbolt.server.auth.settings import AuthSettings

class Tokens:
    async def verify_token(self, token):
        return AccessToken(token=token, client_id="ann", scopes=[]) if token == "t" else None

here = f"http://127.0.0.1:{port}"
auth = AuthSettings(issuer_url=here, resource_server_url=here + "/mcp")
mcp = FastMCP("w", port=port, **pages, auth=auth, token_verifier=Tokens())
mcp.run("http")
"""
)


def samples(text: str) -> dict[str, float]:
    """The samples of a page in the text format of Prometheus; every line is one, or a comment."""
    found: dict[str, float] = {}
    for line in text.splitlines():
        if re.fullmatch(r"# TYPE [a-zA-Z_:][\w:]* (counter|gauge|histogram)", line):
            continue
        match = re.fullmatch(r'([a-zA-Z_:][\w:]*(?:\{(?:[a-zA-Z_]\w*="[^"\\]*",?)+\})?) (\S+)', line)
        assert match and match[1] not in found, line
        found[match[1]] = float(match[2])
    return found


def status(url: str, **headers: str) -> int:
    return httpx.get(url, headers=headers, timeout=LIMIT).status_code


@pytest.mark.parametrize(
    "program", [FASTMCP, MCPSERVER, ASGI, ASGI_2, OF_2], ids=["fastmcp", "mcpserver", "asgi", "asgi-2", "of-2"]
)
def test_pages_are_options_and_count_calls(program: str) -> None:
    with serving(program) as (url, _):
        ready = httpx.get(url + "/readyz", timeout=LIMIT)
        assert (ready.status_code, ready.text) == (200, "ready\n")
        assert (status(url + "/healthz"), status(url + "/livez")) == (200, 404)
        with Client(url + "/mcp") as client:
            client.modern("work")
        page = httpx.get(url + "/metrics", timeout=LIMIT)
        assert page.headers["content-type"].startswith("text/plain; version=0.0.4")
        assert samples(page.text)['mcpbolt_calls_total{method="tools/call",outcome="ok"}'] == 1
        assert status(url + "/metrics", host="evil.example") in (403, 421)


@pytest.mark.parametrize("program", [FASTMCP, MCPSERVER], ids=["fastmcp", "mcpserver"])
def test_a_server_that_ends_says_so_before_it_no_longer_accepts(program: str) -> None:
    with serving(program) as (url, process):
        assert status(url + "/readyz") == 200
        process.send_signal(signal.SIGTERM)
        while status(url + "/readyz") != 503:
            pass
        assert status(url + "/healthz") == 503
        with Client(url + "/mcp") as client:
            assert client.modern("work")["content"][0]["text"] == "done"
        assert process.wait(LIMIT) == 143
        assert process.stderr is not None
        assert b"serving on for 2 s" in process.stderr.read()


def test_pages_are_off_by_default() -> None:
    with serving(PLAIN) as (url, _):
        assert [status(url + path) for path in PAGES.values()] == [404, 404, 404]


def test_health_and_readiness_need_no_token_and_metrics_do() -> None:
    with serving(GUARDED) as (url, _):
        assert [status(url + path) for path in PAGES.values()] == [200, 200, 401]
        assert status(url + "/metrics", authorization="Bearer t") == 200


def test_a_path_that_cannot_be_served_is_refused_by_name() -> None:
    def refused(**options: Any) -> str:
        messages: set[str] = set()
        apps = (FastMCP("w", **options).streamable_http_app, lambda: MCPServer("w").streamable_http_app(**options))
        for make in (*apps, lambda: Server("w").streamable_http_app(**options)):
            with pytest.raises(UsageError) as caught:
                make()
            messages.add(str(caught.value))
        (message,) = messages
        return message

    assert "health: 'healthz' is no path; write a path that begins with a slash" in refused(health="healthz")
    assert "ready: '/mcp' is the path of streamable_http_path too" in refused(ready="/mcp")
    assert "metrics: '/z' is the path of health too" in refused(health="/z", metrics="/z")


def test_options_without_effect_are_refused() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'helth'"):
        FastMCP("w", **{"helth": "/healthz"})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="shutdown_delay"):
        Server("w").streamable_http_app(**{"shutdown_delay": 2})  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="ready: only streamable HTTP has this page"):
        FastMCP("w", ready="/readyz").sse_app()
    with pytest.raises(UsageError, match="shutdown_delay: -1 is no time"):
        anyio.run(FastMCP("w", shutdown_delay=-1).run_streamable_http_async)
    with pytest.raises(UsageError, match="metrics: .*legacy_sse=True"):
        MCPServer("w").sse_app(metrics="/metrics")
