"""`StreamableHTTPTransport`: programs that open the streams of streamable HTTP themselves."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import httpx
import pytest
from peer import legacy_command, official, serving, soon, text

import mcpbolt.client.streamable_http as module
from mcpbolt import ClientSession, McpError, types
from mcpbolt.client.streamable_http import RequestContext, StreamableHTTPTransport
from mcpbolt.shared.message import SessionMessage

official()

URL = "http://127.0.0.1:9/mcp"


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with serving(legacy_command(), "streamable-http") as found:
        yield found


class Noting(StreamableHTTPTransport):
    """Remembers what it was asked to send."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.sent: list[str] = []

    async def _handle_post_request(self, ctx: RequestContext) -> None:
        root: Any = ctx.session_message.message.root
        self.sent.append(getattr(root, "method", "(answer)"))
        await super()._handle_post_request(ctx)


@asynccontextmanager
async def opened_by(transport: StreamableHTTPTransport, client: httpx.AsyncClient) -> AsyncGenerator[Any, None]:
    """Streams as a program makes them that copied the official package's way to do so."""
    into, read = anyio.create_memory_object_stream[Any](0)
    write, unsent = anyio.create_memory_object_stream[SessionMessage](0)
    async with anyio.create_task_group() as tasks:

        def listen() -> None:
            tasks.start_soon(transport.handle_get_stream, client, into)

        tasks.start_soon(transport.post_writer, client, unsent, into, write, listen, tasks)
        try:
            yield read, write
        finally:
            with anyio.CancelScope(shield=True):
                await transport.terminate_session(client)
            tasks.cancel_scope.cancel()


def test_it_is_in_the_module_for_those_who_look_there() -> None:
    # Agents look into the module's dictionary for it.
    assert vars(module)["StreamableHTTPTransport"] is StreamableHTTPTransport


# On trio httpx leaves its generators to the collector.
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_a_subclass_carries_a_session(port: int, backend: str) -> None:
    if backend == "trio":
        pytest.importorskip("trio")
    requests: list[httpx.Request] = []

    async def note(request: httpx.Request) -> None:
        requests.append(request)

    async def decline(context: Any, params: Any) -> types.ElicitResult:
        return types.ElicitResult(action="decline")

    async def main() -> None:
        transport = Noting(f"http://127.0.0.1:{port}/mcp")
        assert transport.get_session_id() is None
        async with httpx.AsyncClient(event_hooks={"request": [note]}, trust_env=False) as client:
            async with opened_by(transport, client) as streams:
                async with ClientSession(*streams, elicitation_callback=decline) as opened:
                    await soon(opened.initialize())
                    assert text(await soon(opened.call_tool("echo", {"text": "ü"}))) == "ü"
                    assert text(await soon(opened.call_tool("ask"))) == "decline:"
        assert transport.sent[:3] == ["initialize", "notifications/initialized", "tools/call"]
        assert "(answer)" in transport.sent
        assert transport.protocol_version == "2025-11-25"
        assert transport.session_id == transport.get_session_id() is not None
        assert requests[-1].method == "DELETE"
        assert requests[-1].headers["mcp-session-id"] == transport.session_id

    anyio.run(main, backend=backend)


def one_of(error: BaseException, kind: type[Exception]) -> bool:
    inner = getattr(error, "exceptions", ())
    return isinstance(error, kind) or any(one_of(part, kind) for part in inner)


def test_what_the_client_raises_comes_out_of_the_task_group() -> None:
    async def refuse(request: httpx.Request) -> httpx.Response:
        return httpx.Response(401)

    async def main() -> None:
        async with httpx.AsyncClient(transport=httpx.MockTransport(refuse)) as client:
            async with opened_by(StreamableHTTPTransport(URL), client) as streams:
                async with ClientSession(*streams) as opened:
                    await soon(opened.initialize())

    with pytest.raises(Exception) as caught:
        anyio.run(main)
    assert one_of(caught.value, httpx.HTTPStatusError)


def test_a_session_that_is_gone_is_an_answer() -> None:
    async def gone(request: httpx.Request) -> httpx.Response:
        return httpx.Response(404)

    async def main() -> None:
        transport = StreamableHTTPTransport(URL)
        transport.session_id = "one"
        async with httpx.AsyncClient(transport=httpx.MockTransport(gone)) as client:
            async with opened_by(transport, client) as streams, ClientSession(*streams) as opened:
                with pytest.raises(McpError, match="Session terminated"):
                    await soon(opened.initialize())

    anyio.run(main)


def test_what_belongs_to_the_client_is_ignored_aloud() -> None:
    with pytest.warns(DeprecationWarning, match="headers, timeout: deprecated and will be ignored"):
        assert StreamableHTTPTransport(URL, headers={"a": "b"}, timeout=3).url == URL
