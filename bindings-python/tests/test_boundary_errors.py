"""Every kind of error crosses the boundary with its own class, kind and code, both ways."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import httpx
import pytest
from memory import connected
from peer import soon
from scripted import Scripted, scripted
from wire import Child

from mcpbolt import ClientSession, McpError, _mcpbolt
from mcpbolt.client.streamable_http import streamable_http_client
from mcpbolt.server.fastmcp import FastMCP
from mcpbolt.shared import exceptions
from mcpbolt.types import CallToolResult, ErrorData

# What a peer answers: code, data, the kind it is known by.
ANSWERED: list[tuple[int, Any, str]] = [
    (-32700, None, "parse"),
    (-32600, None, "invalid_request"),
    (-32601, None, "method_not_found"),
    (-32602, None, "invalid_params"),
    (-32603, None, "internal"),
    (-32002, {"uri": "note://none"}, "resource_not_found"),
    (-32042, {"elicitations": []}, "url_elicitation_required"),
    (-32020, None, "header_mismatch"),
    (-32021, {"requiredCapabilities": {}}, "missing_client_capability"),
    (-32022, {"supported": ["a"], "requested": "b"}, "unsupported_protocol_version"),
    (429, None, "rate_limited"),
    (-1, None, "rejected"),
    # Codes that our own local failures show are a peer's like any other.
    (408, None, "peer"),
    (-32000, None, "peer"),
    (7, {"why": "because"}, "peer"),
]
# Codes of the modern era, as the legacy one knows them.
LEGACY = {-32020: -32600, -32021: -32600, -32022: -32602}
# What happens on this side, and the test that makes it happen.
LOCAL = {"timeout", "closed", "overloaded", "transport", "protocol", "unauthorized", "forbidden", "usage"}
# The engine has these for hosts whose calls are not tasks, and for stores.
NOT_HERE = {"cancelled", "store"}


def test_each_error_kind_crosses() -> None:
    rows = {name: (python, code, local) for name, python, code, local in _mcpbolt.error_names()}
    assert {kind for _, _, kind in ANSWERED} | LOCAL | NOT_HERE == set(rows)
    for name, (python, code, local) in rows.items():
        error = exceptions.from_failure((name, -32603, "words", None))
        assert (error.kind, error.local, error.message) == (name, local, "words")
        cls = getattr(exceptions, python)
        assert (type(error) is cls if local else isinstance(error, cls)) or name == "url_elicitation_required"
        assert isinstance(error, McpError)
        assert error.error.code == (code if code is not None else -32603), name


@pytest.mark.parametrize("code, data, kind", ANSWERED, ids=[f"{kind} {code}" for code, _, kind in ANSWERED])
def test_what_a_peer_answers_is_told_as_it_came(code: int, data: Any, kind: str) -> None:
    async def refuse(server: Scripted, request: Any) -> None:
        error = {"code": code, "message": "no luck"}
        await server.say(id=request.id, error=error if data is None else {**error, "data": data})

    async def main() -> None:
        async with scripted({"prompts/list": refuse}) as (session, _):
            with pytest.raises(McpError) as caught:
                await soon(session.list_prompts())
            error = caught.value
            assert (error.kind, error.local) == (kind, False)
            assert (error.error.code, error.error.message, error.error.data) == (code, "no luck", data)

    anyio.run(main)


@pytest.mark.parametrize("code, data, kind", ANSWERED, ids=[f"{kind} {code}" for code, _, kind in ANSWERED])
def test_what_a_handler_raises_is_sent_as_it_is(code: int, data: Any, kind: str) -> None:
    mcp: FastMCP[Any] = FastMCP("raises")

    @mcp._mcp_server.get_prompt()
    async def prompt(name: str, arguments: Any) -> Any:
        raise McpError(ErrorData(code=code, message="no luck", data=data))

    async def main() -> None:
        async with connected(mcp) as client:
            error = (await client.ask("prompts/get", {"name": "any"}))["error"]
            assert (error["code"], error["message"], error.get("data")) == (LEGACY.get(code, code), "no luck", data)

    anyio.run(main)


def test_a_handlers_accident_tells_no_more_than_its_words() -> None:
    mcp: FastMCP[Any] = FastMCP("accident")

    @mcp._mcp_server.get_prompt()
    async def prompt(name: str, arguments: Any) -> Any:
        raise {"key": KeyError, "base": BaseException, "group": _group}[name]("a secret value")

    async def main() -> None:
        async with connected(mcp) as client:
            for name in ("key", "base", "group"):
                error = (await client.ask("prompts/get", {"name": name}))["error"]
                assert "Traceback" not in json.dumps(error) and 'File "' not in json.dumps(error)
                # Whatever it was, the server goes on.
                assert (await client.ask("ping"))["result"] == {}

    anyio.run(main)


def _group(words: str) -> BaseException:
    group = getattr(__import__("builtins"), "ExceptionGroup", None)
    return ValueError(words) if group is None else group(words, [ValueError(words)])


def test_timeout_closed_and_usage_are_local() -> None:
    async def silent(server: Scripted, request: Any) -> None:
        return None

    async def main() -> None:
        from datetime import timedelta

        async with scripted({"tools/call": silent}) as (session, _):
            with pytest.raises(exceptions.TimeoutError) as late:
                await soon(session.call_tool("any", {}, timedelta(seconds=0.01)))
            with pytest.raises(exceptions.UsageError) as twice:
                await soon(session.discover())
            await soon(session.close())
            with pytest.raises(exceptions.SessionClosed) as closed:
                await soon(session.call_tool("any"))
        found = [(error.value.kind, error.value.local, error.value.error.code) for error in (late, closed, twice)]
        assert found == [("timeout", True, 408), ("closed", True, -32000), ("usage", True, -32603)]

    anyio.run(main)


def test_more_calls_than_the_bound_are_refused_before_they_are_sent() -> None:
    async def silent(server: Scripted, request: Any) -> None:
        return None

    class Narrow(ClientSession):
        def __init__(self, *streams: Any) -> None:
            super().__init__(*streams)
            self.configure("legacy", {"max_in_flight": 2})

    async def main() -> None:
        async with scripted({"tools/call": silent}, Narrow) as (session, server):
            async with anyio.create_task_group() as tasks:
                for _ in range(2):
                    tasks.start_soon(session.call_tool, "waits")
                await anyio.wait_all_tasks_blocked()
                with pytest.raises(exceptions.OverloadedError) as caught:
                    await soon(session.call_tool("one too many"))
                tasks.cancel_scope.cancel()
            assert (caught.value.kind, caught.value.local) == ("overloaded", True)
            assert "one too many" not in str(server.seen)

    anyio.run(main)


@asynccontextmanager
async def answering(response: str) -> AsyncIterator[str]:
    """A server that answers every request in the same words."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1 << 16)
        writer.write(response.replace("\n", "\r\n").encode())
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/mcp"
    finally:
        server.close()


HTTP = [
    ("unauthorized", exceptions.UnauthorizedError, "HTTP/1.1 401 X\ncontent-length: 0\nconnection: close\n\n"),
    ("forbidden", exceptions.ForbiddenError, "HTTP/1.1 403 X\ncontent-length: 0\nconnection: close\n\n"),
    ("protocol", exceptions.ProtocolViolation, "HTTP/1.1 200 X\ncontent-type: text/html\ncontent-length: 2\n\nhi"),
    ("transport", exceptions.ConnectError, "HTTP/1.1 200 X\ncontent-type: application/json\ncontent-length: 9\n\n{"),
]


@pytest.mark.parametrize("kind, cls, response", HTTP, ids=[kind for kind, _, _ in HTTP])
def test_what_http_says_instead_of_an_answer(kind: str, cls: type[McpError], response: str) -> None:
    async def main() -> None:
        async with answering(response) as url, streamable_http_client(url) as (read, write, _):
            session = ClientSession(read, write)
            with pytest.raises(cls) as caught:
                await soon(session.initialize())
            assert (caught.value.kind, caught.value.local) == (kind, True)
            await soon(session.close())

    anyio.run(main)


def test_nobody_at_the_address_is_a_transport_error(port: int) -> None:
    async def main() -> None:
        async with streamable_http_client(f"http://127.0.0.1:{port}/mcp") as (read, write, _):
            session = ClientSession(read, write)
            with pytest.raises(exceptions.ConnectError) as caught:
                await soon(session.initialize())
            assert (caught.value.kind, caught.value.local) == ("transport", True)
            await soon(session.close())

    anyio.run(main)


def test_a_panic_does_not_cross() -> None:
    mcp: FastMCP[Any] = FastMCP("panics")

    @mcp.tool()
    def exits() -> str:
        raise SystemExit(3)

    @mcp.tool()
    async def interrupts() -> str:
        raise KeyboardInterrupt

    @mcp.tool()
    async def recurses() -> str:
        return await recurses()

    @mcp.tool()
    def unprintable() -> Any:
        class Bad:
            def __str__(self) -> str:
                raise ValueError("no text")

            __repr__ = __str__

        return Bad()

    @mcp.tool()
    async def unwanted() -> str:
        # Nobody cancelled it: an accident like any other, and it needs an answer.
        raise asyncio.CancelledError

    async def main() -> None:
        async with connected(mcp) as client:
            for name in ("exits", "recurses", "unprintable", "unwanted"):
                answer = await client.ask("tools/call", {"name": name, "arguments": {}})
                failed = "error" in answer or CallToolResult.model_validate(answer["result"]).isError
                assert failed, (name, answer)
                assert (await client.ask("ping"))["result"] == {}

    anyio.run(main)


# An integer of more digits than Python reads.
LONG = "9" * 5000
COUNTING = """
from mcpbolt.server.fastmcp import FastMCP

mcp = FastMCP("counts", stateless_http=True, json_response=True)

@mcp.tool()
async def later(n: int) -> int:
    return n

@mcp.tool()
def now(n: int) -> int:
    return n
"""


def calling(name: str, number: str) -> str:
    head = f'{{"jsonrpc":"2.0","id":"{name} {number[:1]}","method":"tools/call","params":'
    return f'{head}{{"name":"{name}","arguments":{{"n":{number}}}}}}}'


def test_a_number_that_python_does_not_read_fails_its_own_call_on_a_server() -> None:
    with Child(f"{COUNTING}\nmcp.run()") as child:
        child.open()
        calls = [calling(name, number) for name in ("later", "now") for number in ("1", LONG, "2")]
        notice = f'{{"jsonrpc":"2.0","method":"notifications/roots/list_changed","params":{{"n":{LONG}}}}}'
        child.send_text("".join(f"{line}\n" for line in (notice, *calls)))
        answers = {answer["id"]: answer for answer in (child.receive() for _ in calls)}
        for name in ("later", "now"):
            assert answers[f"{name} 9"]["error"]["code"] == -32602
            assert LONG not in answers[f"{name} 9"]["error"]["message"]
            for number in ("1", "2"):
                assert answers[f"{name} {number}"]["result"]["structuredContent"] == {"result": int(number)}
            # Whatever runs calls goes on.
            assert child.call(name, n=3)["result"]["structuredContent"] == {"result": 3}
        assert child.end() == (0, "")


def test_a_number_that_python_does_not_read_fails_its_own_call_in_an_application() -> None:
    made: dict[str, Any] = {}
    exec(COUNTING, made)

    async def main() -> None:
        transport = httpx.ASGITransport(app=made["mcp"].streamable_http_app())
        headers = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000", headers=headers) as http:
            for name in ("later", "now"):
                asked = [http.post("/mcp", content=calling(name, number)) for number in ("1", LONG, "2")]
                first, refused, last = [answer.json() for answer in await soon(asyncio.gather(*asked))]
                assert refused["error"]["code"] == -32602
                assert [answer["result"]["content"][0]["text"] for answer in (first, last)] == ["1", "2"]

    asyncio.run(main())


def test_a_number_that_python_does_not_read_fails_its_own_call_on_a_client() -> None:
    answered = anyio.Event()

    async def prompts(server: Scripted, request: Any) -> None:
        head = '{"jsonrpc":"2.0",'
        await server.write.send(f'{head}"method":"notifications/message","params":{{"level":"info","data":{LONG}}}}}')
        await server.write.send(f'{head}"id":"q","method":"roots/list","params":{{"_meta":{{"n":{LONG}}}}}}}')
        await server.write.send(f'{head}"id":{json.dumps(request.id)},"result":{{"prompts":[],"n":{LONG}}}}}')

    async def resources(server: Scripted, request: Any) -> None:
        error = f'{{"code":7,"message":"no luck","data":{LONG}}}'
        await server.write.send(f'{{"jsonrpc":"2.0","id":{json.dumps(request.id)},"error":{error}}}')

    async def refused(server: Scripted, response: Any) -> None:
        assert (response.id, response.error.code) == ("q", -32602)
        answered.set()

    async def tools(server: Scripted, request: Any) -> Any:
        return {"tools": []}

    async def roots(context: Any) -> Any:
        raise AssertionError("it cannot be read")

    async def main() -> None:
        answers = {"prompts/list": prompts, "resources/list": resources, "": refused, "tools/list": tools}
        async with scripted(answers, list_roots_callback=roots) as (session, _):
            with pytest.raises(exceptions.ProtocolViolation, match=r"the limit \(4300"):
                await soon(session.list_prompts())
            with pytest.raises(McpError, match="no luck") as caught:
                await soon(session.list_resources())
            assert (caught.value.error.code, caught.value.error.data) == (7, None)
            await soon(answered.wait())
            assert (await soon(session.list_tools())).tools == []

    anyio.run(main)
