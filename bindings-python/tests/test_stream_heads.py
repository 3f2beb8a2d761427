"""Where an answer is a stream its head leaves at once, however long the handler takes.

Under `mcpbolt.compat` as on the official package; without it after `stream_after`.
"""

from __future__ import annotations

import json
import textwrap

import pytest
from bounds import PROMISED
from http_servers import Client, messages, serving

# A tool that is held until another request lets it go.
TOOLS = textwrap.dedent(
    """
    import asyncio, sys
    from {package}.server.fastmcp import Context, FastMCP

    port = int(sys.argv[1])
    mcp = FastMCP("http", port=port, stateless_http="stateless" in sys.argv)
    free = asyncio.Event()

    @mcp.tool()
    async def hold() -> str:
        await free.wait()
        return "held"

    @mcp.tool()
    async def tell(ctx: Context) -> str:
        await ctx.info("telling")
        return "told"

    @mcp.tool()
    async def release() -> str:
        free.set()
        return "released"
    """
)
LISTENER = '\nmcp.run(transport="streamable-http")\n'
UVICORN = '\nimport uvicorn\nuvicorn.run({app}, port=port, log_level="critical")\n'
ASGI = UVICORN.format(app="mcp.streamable_http_app()")
BY_HAND = textwrap.dedent(
    """
    from {package}.server.streamable_http import StreamableHTTPServerTransport

    transport = StreamableHTTPServerTransport("my-session")

    async def app(scope, receive, send):
        if scope["type"] != "lifespan":
            return await transport.handle_request(scope, receive, send)
        server = mcp._mcp_server
        async with transport.connect() as streams:
            running = asyncio.ensure_future(server.run(*streams, server.create_initialization_options()))
            await receive()
            await send({{"type": "lifespan.startup.complete"}})
            await receive()
            running.cancel()
            await send({{"type": "lifespan.shutdown.complete"}})
    """
) + UVICORN.format(app="app")
# A program that has a `run` of its own is served through streams.
OWN_RUN = textwrap.dedent(
    """
    server = mcp._mcp_server
    run = server.run

    async def own(*arguments, **named):
        await run(*arguments, **named)

    server.run = own
    """
) + ASGI
# Under the official name answers are streams; an undecided one never becomes one by itself.
OFFICIAL = "import mcpbolt.compat; mcpbolt.compat.install()\n" + TOOLS.format(package="mcp") + "\nmcp.settings.stream_after = None\n"
OURS = TOOLS.format(package="mcpbolt")
NEVER = "\nmcp.settings.stream_after = None\n"

WAYS = {"listener": LISTENER, "asgi": ASGI, "by hand": BY_HAND, "own run": OWN_RUN}


def begin_and_release(url: str, client: Client) -> None:
    """The head of a held call arrives before anybody lets it go."""
    client.open()
    call = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "hold", "arguments": {}}}
    with client.http.stream("POST", url, json=call, timeout=PROMISED) as response:
        assert response.status_code == 200
        assert response.headers["content-type"].startswith("text/event-stream")
        with Client(url) as other:
            other.http.headers.update(client.http.headers)
            assert other.call("release")["content"][0]["text"] == "released"
        said = [line for line in response.iter_lines() if line.startswith(("event:", "data: {"))]
    assert said[0] == "event: message"
    assert json.loads(said[-1][5:])["result"]["content"][0]["text"] == "held"


@pytest.mark.parametrize(
    "way, sessions",
    [*((way, "stateful") for way in WAYS), *((way, "stateless") for way in ("listener", "asgi", "own run"))],
)
def test_under_the_official_name_heads_leave_at_once(way: str, sessions: str) -> None:
    with serving(OFFICIAL + WAYS[way].format(package="mcp"), sessions) as (url, _), Client(url + "/mcp") as client:
        begin_and_release(url + "/mcp", client)


@pytest.mark.parametrize("way", WAYS)
def test_an_undecided_answer_becomes_a_stream_after_a_while(way: str) -> None:
    with serving(OURS + WAYS[way].format(package="mcpbolt")) as (url, _), Client(url + "/mcp") as client:
        begin_and_release(url + "/mcp", client)


@pytest.mark.parametrize("way", ["listener", "asgi"])
def test_short_calls_stay_one_write(way: str) -> None:
    with serving(OURS + NEVER + WAYS[way]) as (url, _), Client(url + "/mcp") as client:
        client.open()
        call = {"id": 7, "method": "tools/call", "params": {"name": "release", "arguments": {}}}
        answer = client.post(call)
        assert answer.headers["content-type"].startswith("application/json")
        assert int(answer.headers["content-length"]) == len(answer.content)


@pytest.mark.parametrize("sessions", ["stateful", "stateless"])
@pytest.mark.parametrize("package", ["mcp", "mcpbolt"])
def test_what_a_server_with_its_own_run_says_in_a_call_is_on_its_stream(package: str, sessions: str) -> None:
    program = (OFFICIAL if package == "mcp" else OURS) + OWN_RUN.format(package=package)
    with serving(program, sessions) as (url, _), Client(url + "/mcp") as client:
        client.open()
        said = messages(client.post({"id": 7, "method": "tools/call", "params": {"name": "tell", "arguments": {}}}))
        assert [message.get("method", message.get("id")) for message in said] == ["notifications/message", 7]
