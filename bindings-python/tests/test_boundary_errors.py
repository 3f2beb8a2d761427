"""Every kind of error crosses the boundary with its own class, kind and code, both ways."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
from memory import connected
from peer import soon
from scripted import Scripted, scripted

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
