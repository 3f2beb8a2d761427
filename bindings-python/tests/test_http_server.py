"""Servers over HTTP: from the engine, in an ASGI application, and over the older transport."""

from __future__ import annotations

import json
import signal
import socket
import textwrap
from typing import Any

import anyio
import httpx
import pytest
from bounds import LIMIT
from http_servers import ACCEPT, ASGI, ENGINE, MOUNTED, SERVER, SSE, UVICORN, WAYS, Client, messages, serving
from peer import soon, text
from wire import MODERN

from mcpbolt import ClientSession
from mcpbolt.client.sse import sse_client


@WAYS
def test_sessions_tools_and_lists(program: str, path: str) -> None:
    with serving(program) as (url, _), Client(url + path) as client:
        session = client.open()
        assert session
        assert client.call("add", a=1)["structuredContent"] == {"result": 2}
        listed = client.post({"id": 5, "method": "tools/list"})
        assert len(messages(listed)[0]["result"]["tools"]) == 5
        assert int(listed.headers["content-length"]) == len(listed.content)
        assert client.http.delete(client.url).status_code in (200, 204)
        assert client.post({"id": 9, "method": "ping"}).status_code == 404


@WAYS
def test_stateless_and_modern_clients_need_no_session(program: str, path: str) -> None:
    with serving(program, "stateless") as (url, _), Client(url + path) as client:
        assert client.open() is None
        assert client.call("add", a=1)["structuredContent"] == {"result": 2}
    with serving(program) as (url, _), Client(url + path) as client:
        result = client.modern("ask")
        assert result["resultType"] == "input_required"
        (key,) = result["inputRequests"]
        answers = {key: {"action": "accept", "content": {"name": "Ann"}}}
        done = client.modern("ask", inputResponses=answers, requestState=result["requestState"])
        assert done["content"][0]["text"] == "accept Ann"


@WAYS
def test_a_handler_asks_on_the_stream_of_its_request(program: str, path: str) -> None:
    with serving(program) as (url, _), Client(url + path) as client:
        client.open(elicitation={})
        message = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "ask", "arguments": {}}}
        seen: list[Any] = []
        with client.http.stream("POST", client.url, json=message) as response:
            for line in response.iter_lines():
                if not line.startswith("data:") or not line[5:].strip():
                    continue
                item = json.loads(line[5:])
                seen.append(item.get("method") or item["result"]["content"][0]["text"])
                if item.get("method") == "elicitation/create":
                    answer = {"action": "accept", "content": {"name": "Ann"}}
                    assert client.post({"id": item["id"], "result": answer}).status_code == 202
        assert seen == ["notifications/message", "elicitation/create", "accept Ann"]


@pytest.mark.parametrize("program, path", [(ASGI, "/mcp"), (MOUNTED, "/in/mcp")], ids=["asgi", "mounted"])
def test_two_requests_of_one_session_see_their_own_variables(program: str, path: str) -> None:
    with serving(program) as (url, _), Client(url + path) as client:
        client.open()
        for name in ("ann", "bob"):
            headers = {"x-who": name}
            assert client.call("who", headers)["content"][0]["text"] == f"{name} {name}"
            assert client.call("sync_who", headers)["content"][0]["text"] == name


def test_the_request_is_known_to_handlers_of_the_engine() -> None:
    with serving(ENGINE) as (url, _), Client(url + "/mcp") as client:
        client.open()
        assert client.call("who", {"x-who": "ann"})["content"][0]["text"] == "nobody ann"


@WAYS
def test_hosts_and_origins_are_guarded(program: str, path: str) -> None:
    with serving(program) as (url, _), Client(url + path) as client:
        ping = {"id": 1, "method": "ping"}
        assert client.post(ping, host="evil.example").status_code in (403, 421)
        assert client.post(ping, origin="http://evil.example").status_code == 403
        client.open()
        assert client.ask("ping", None, origin="http://localhost:1")["result"] == {}


@pytest.mark.parametrize("program", [ENGINE, ASGI], ids=["engine", "asgi"])
def test_routes_of_the_program_are_served_beside_it(program: str) -> None:
    with serving(program) as (url, _):
        assert httpx.get(f"{url}/hello/ann?q=1", timeout=LIMIT).text == "hello ann 1 "
        assert httpx.post(f"{url}/hello/bob", content=b"data", timeout=LIMIT).text == "hello bob None data"
        assert httpx.get(f"{url}/none", timeout=LIMIT).status_code == 404


@WAYS
def test_a_body_that_is_too_large_is_refused(program: str, path: str) -> None:
    with serving(program) as (url, _), Client(url + path) as client:
        client.open()
        assert client.post({"id": 1, "method": "ping", "params": {"x": "y" * (5 << 20)}}).status_code == 413
        assert client.ask("ping")["result"] == {}


@WAYS
def test_a_modern_stream_that_is_dropped_cancels_its_call(program: str, path: str) -> None:
    with serving(program) as (url, process):
        params = {"name": "hang", "arguments": {}, "_meta": MODERN}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        headers = {**ACCEPT, "content-type": "application/json", "mcp-protocol-version": "2026-07-28"}
        lines = {**headers, "mcp-method": "tools/call", "mcp-name": "hang", "content-length": str(len(body))}
        host, _, port = url.removeprefix("http://").partition(":")
        with socket.create_connection((host, int(port)), LIMIT) as caller, Client(url + path) as other:
            head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
            caller.sendall(f"POST {path} HTTP/1.1\r\nhost: {host}:{port}\r\n{head}\r\n{body}".encode())
            assert process.stderr is not None
            assert process.stderr.readline() == b"hanging\n"
            caller.close()
            assert process.stderr.readline() == b"let go\n"
            assert other.modern("sync_who")["content"]


def test_nothing_heavy_is_loaded_to_serve_from_the_engine() -> None:
    program = """
        import sys
        from mcpbolt.server.fastmcp import FastMCP

        mcp = FastMCP("http", port=int(sys.argv[1]))

        @mcp.tool()
        def loaded(prefix: str) -> str:
            return " ".join(sorted(name for name in sys.modules if name.split(".")[0] in prefix.split()))

        mcp.run("streamable-http")
    """
    with serving(textwrap.dedent(program)) as (url, _), Client(url + "/mcp") as client:
        client.open()
        assert client.call("loaded", prefix="pydantic anyio httpx starlette uvicorn")["content"][0]["text"] == ""


@pytest.mark.parametrize("number, code", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_one_signal_ends_the_listener(number: signal.Signals, code: int) -> None:
    with serving(ENGINE) as (url, process), Client(url + "/mcp") as client:
        client.open()
        assert client.call("add", a=1)["structuredContent"] == {"result": 2}
        process.send_signal(number)
        assert process.wait(LIMIT) == code
        assert process.stderr and process.stderr.read() == b""


def test_json_responses_on_demand() -> None:
    with serving(ENGINE, "json") as (url, _), Client(url + "/mcp") as client:
        client.open()
        response = client.post({"id": 1, "method": "tools/list"})
        assert response.headers["content-type"] == "application/json"


def test_the_older_transport() -> None:
    with serving(SSE) as (url, _), httpx.Client(timeout=LIMIT) as http, http.stream("GET", url + "/sse") as stream:
        lines = (line for line in stream.iter_lines() if line.startswith("data:"))
        endpoint = url + next(lines)[5:].strip()

        def ask(number: int, method: str, params: Any, who: str = "") -> dict[str, Any]:
            message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
            assert http.post(endpoint, json=message, headers={"x-who": who}).status_code == 202
            return json.loads(next(lines)[5:])

        info = {"name": "t", "version": "1"}
        opened = ask(1, "initialize", {"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": info})
        assert opened["result"]["protocolVersion"] == "2024-11-05"
        http.post(endpoint, json={"jsonrpc": "2.0", "method": "notifications/initialized"})
        result = ask(2, "tools/call", {"name": "add", "arguments": {"a": 2}})["result"]
        assert result["content"] == [{"type": "text", "text": "3"}]
        for name in ("ann", "bob"):
            result = ask(3, "tools/call", {"name": "who", "arguments": {}}, name)["result"]
            assert result["content"][0]["text"] == f"{name} {name}"
        assert http.post(url + "/messages/?session_id=0", json={}).status_code == 400
        assert http.post(url + "/messages/", json={}).status_code == 400


BODY = SERVER + textwrap.dedent(
    """
    @mcp.tool()
    async def body(ctx: Context) -> str:
        return (await ctx.request_context.request.json())["params"]["name"]
    """
)


def test_a_handler_may_read_the_body_of_its_request_on_the_older_transport() -> None:
    async def test(url: str) -> None:
        async with sse_client(url + "/sse") as streams, ClientSession(*streams) as session:
            await soon(session.initialize())
            assert text(await soon(session.call_tool("body", {}))) == "body"

    with serving(BODY + UVICORN.format(app="mcp.sse_app()")) as (url, _):
        anyio.run(test, url)


def test_the_body_that_the_engine_has_read_is_refused_in_words() -> None:
    with serving(BODY + 'mcp.run("streamable-http")\n') as (url, _), Client(url + "/mcp") as client:
        client.open()
        result = client.call("body")
        assert result["isError"] and "keeps no body for handlers" in result["content"][0]["text"]


@pytest.mark.parametrize("number, code", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_one_signal_ends_the_older_transport(number: signal.Signals, code: int) -> None:
    with serving(SERVER + 'mcp.settings.log_level = "CRITICAL"\nmcp.run("sse")\n') as (_, process):
        process.send_signal(number)
        assert process.wait(LIMIT) == code
        assert process.stderr and process.stderr.read() == b""


BY_HAND = SERVER + textwrap.dedent(
    """
    from contextlib import asynccontextmanager
    from mcpbolt.server.streamable_http import StreamableHTTPServerTransport

    transport = StreamableHTTPServerTransport("my-session")

    async def app(scope, receive, send):
        if scope["type"] == "lifespan":
            server = mcp._mcp_server
            async with transport.connect() as streams:
                running = asyncio.ensure_future(server.run(*streams, server.create_initialization_options()))
                while True:
                    message = await receive()
                    if message["type"] == "lifespan.startup":
                        await send({"type": "lifespan.startup.complete"})
                    else:
                        await transport.terminate()
                        await running
                        await send({"type": "lifespan.shutdown.complete"})
                        return
        await transport.handle_request(scope, receive, send)
    """
) + UVICORN.format(app="app")


def test_a_transport_made_by_hand() -> None:
    with serving(BY_HAND) as (url, process), Client(url + "/anywhere") as client:
        assert client.open() == "my-session"
        assert client.call("add", a=1)["structuredContent"] == {"result": 2}
        assert client.http.delete(client.url).status_code in (200, 204)
        assert client.post({"id": 9, "method": "ping"}).status_code == 404
        process.send_signal(signal.SIGINT)
        process.wait(LIMIT)


def test_an_asgi_server_that_repeats_the_request_does_not_stop_the_loop() -> None:
    import asyncio

    from mcpbolt.server.fastmcp import FastMCP

    mcp: FastMCP[Any] = FastMCP("asgi", stateless_http=True, json_response=True, host="0.0.0.0")

    @mcp.tool()
    async def later() -> str:
        await asyncio.get_running_loop().run_in_executor(None, str)
        return "done"

    body = json.dumps(
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "later", "arguments": {}}}
    ).encode()
    scope: dict[str, Any] = {
        "type": "http", "method": "POST", "path": "/mcp", "raw_path": b"/mcp", "query_string": b"", "root_path": "",
        "headers": [(b"content-type", b"application/json"), (b"accept", ACCEPT["accept"].encode())],
    }  # fmt: skip
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    async def test() -> None:
        async with mcp.session_manager.run():
            await asyncio.wait_for(app(scope, receive, send), LIMIT)

    app = mcp.streamable_http_app()
    asyncio.run(test())
    assert b'"text":"done"' in sent[-1]["body"]
