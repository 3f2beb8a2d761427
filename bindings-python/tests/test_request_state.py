"""`requestState` sealed with keys of the program: what opens, what is refused, who sees what."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Awaitable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from bounds import START, WHOLE
from peer import FOLDER, MODERN

import mcpbolt
from mcpbolt import Client, MCPError, McpError, types
from mcpbolt.server import MCPServer, Server, request_state
from mcpbolt.server.mcpserver import Context, RequestStateBoundary, RequestStateSecurity

REVISION = "2026-07-28"
KEY = "k" * 32
REFUSED = (-32602, "Invalid or expired requestState", {"reason": "invalid_request_state"})
ERAS = pytest.mark.parametrize("mode", [REVISION, "legacy"])


def run(work: Awaitable[Any]) -> Any:
    return asyncio.run(asyncio.wait_for(work, WHOLE))


async def agree(_: Any, params: Any) -> types.ElicitResult:
    return types.ElicitResult(action="accept", content={})


def question(state: str) -> types.InputRequiredResult:
    form = types.ElicitRequestFormParams(message="?", requestedSchema={"type": "object", "properties": {}})
    return types.InputRequiredResult(input_requests={"who": types.ElicitRequest(params=form)}, request_state=state)


def asking(security: RequestStateSecurity | None, **options: Any) -> MCPServer[Any]:
    server: MCPServer[Any] = MCPServer("asking", request_state_security=security, **options)

    def answer(ctx: Context) -> Any:
        return question("kept ☃") if not ctx.input_responses else f"got {ctx.request_state}"

    @server.tool()
    async def ask(ctx: Context, number: int = 1) -> str | types.InputRequiredResult:
        return answer(ctx)

    @server.tool()
    def ask_on_a_thread(ctx: Context) -> str | types.InputRequiredResult:
        return answer(ctx)

    @server.tool()
    async def twice(ctx: Context) -> str | types.InputRequiredResult:
        count = int(ctx.request_state or 0) + 1
        return question(str(count)) if count < 3 else f"got {ctx.request_state}"

    @server.prompt()
    def prompt(ctx: Context) -> Any:
        return answer(ctx)

    @server.resource("note://{name}")
    def note(name: str, ctx: Context) -> Any:
        return answer(ctx)

    return server


GOT = "got kept ☃"
USED = (
    -32602,
    "requestState was already used or has expired; send the request again without it",
    {"reason": "invalid_request_state"},
)


@ERAS
@pytest.mark.parametrize("around", [False, True], ids=["direct", "middleware"])
def test_handlers_see_what_they_returned(mode: str, around: bool) -> None:
    seen: list[Any] = []

    async def look(ctx: Any, call_next: Any) -> Any:
        result = await call_next(ctx)
        if ctx.method == "tools/call":
            seen.append((ctx.params.get("requestState"), getattr(result, "requestState", None)))
        return result

    server = asking(RequestStateSecurity(keys=[KEY]), middleware=[look] if around else [])

    async def main() -> None:
        async with Client(server, mode=mode, elicitation_callback=agree) as client:
            for name, expected in (("ask", GOT), ("ask_on_a_thread", GOT), ("twice", "got 2")):
                result = await client.call_tool(name)
                assert result.content == [types.TextContent(type="text", text=expected)], name
            content: Any = (await client.get_prompt("prompt")).messages[0].content
            assert content.text == GOT
            contents: Any = (await client.read_resource("note://a")).contents
            assert contents[0].text == GOT

    run(main())
    if around:
        assert seen[:2] == [(None, "kept ☃"), ("kept ☃", None)]
        assert seen[4:] == [(None, "1"), ("1", "2"), ("2", None)]


class Rounds:
    """One round after the other, by hand."""

    def __init__(self, client: Client) -> None:
        self.session = client.session

    async def first(self, name: str = "ask", **arguments: Any) -> str:
        found = await self.session.call_tool(name, arguments, allow_input_required=True)
        assert isinstance(found, types.InputRequiredResult) and found.requestState is not None
        return found.requestState

    async def second(self, state: str, name: str = "ask", **arguments: Any) -> Any:
        answers = {"who": types.ElicitResult(action="decline")}
        try:
            result = await self.session.call_tool(name, arguments, input_responses=answers, request_state=state)
        except McpError as error:
            return error.code, error.message, error.data
        return result.content[0].text  # type: ignore[union-attr]


def by_hand(server: Any, work: Any) -> Any:
    async def main() -> Any:
        async with Client(server, mode=REVISION, elicitation_callback=agree) as client:
            return await work(Rounds(client))

    return run(main())


@pytest.mark.parametrize("name", ["ask", "ask_on_a_thread"])
def test_a_state_holds_for_as_long_as_the_policy_says(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(rounds: Rounds) -> None:
        state = await rounds.first(name)
        assert "kept" not in state
        monkeypatch.setattr(request_state, "time", SimpleNamespace(time=lambda: time.time() + 4))
        assert await rounds.second(state, name) == GOT
        monkeypatch.setattr(request_state, "time", SimpleNamespace(time=lambda: time.time() + 6))
        assert await rounds.second(state, name) == REFUSED

    by_hand(asking(RequestStateSecurity(keys=[KEY], ttl=5)), work)


def test_a_state_is_of_its_principal_and_request() -> None:
    who: list[Any] = ["ann"]
    security = RequestStateSecurity(keys=[KEY], bind_principal=lambda ctx: who[0])

    async def work(rounds: Rounds) -> None:
        state = await rounds.first(number=3)
        assert await rounds.second(state, number=3) == GOT
        for other in ("bob", None, 3):
            who[0] = other
            assert await rounds.second(state, number=3) == REFUSED
        who[0] = "ann"
        # The engine finds these before anybody is asked.
        for refused in (
            rounds.second(state, number=4),
            rounds.second(state, "twice"),
            rounds.second(state[:-2] + ("AA" if state[-2:] != "AA" else "BB"), number=3),
            rounds.second("v1.x", number=3),
        ):
            assert (await refused)[0] == -32602
        who[0] = 3
        with pytest.raises(McpError, match="Internal error"):
            await rounds.first()

    by_hand(asking(security), work)


@pytest.mark.parametrize("shared", [True, False], ids=["keys", "no keys"])
def test_of_many_replays_exactly_one_runs(shared: bool) -> None:
    security = RequestStateSecurity(keys=[KEY]) if shared else None

    async def work(rounds: Rounds) -> None:
        state = await rounds.first()
        answers = await asyncio.gather(*(rounds.second(state) for _ in range(30)))
        assert answers.count(GOT) == 1 and answers.count(USED) == 29
        # What the error says to do.
        assert await rounds.second(await rounds.first()) == GOT

    by_hand(asking(security), work)


def test_servers_of_a_process_take_a_state_once_unless_they_are_told_otherwise() -> None:
    async def main(reusable: bool) -> list[Any]:
        nodes = [asking(RequestStateSecurity(keys=[KEY], reusable=reusable)) for _ in range(2)]
        first, second = [Client(node, mode=REVISION, elicitation_callback=agree) for node in nodes]
        async with first, second:
            state = await Rounds(first).first()
            return [await Rounds(client).second(state) for client in (first, second)]

    assert run(main(False)) == [GOT, USED]
    assert run(main(True)) == [GOT, GOT]


def test_servers_that_share_keys_take_each_others_states() -> None:
    old, new = "o" * 32, b"n" * 32

    async def main() -> None:
        nodes = [asking(RequestStateSecurity(keys=keys)) for keys in ([old], [new, old], [new])]
        first, second, stranger = [Client(node, mode=REVISION, elicitation_callback=agree) for node in nodes]
        async with first, second, stranger:
            state = await Rounds(first).first(number=3)
            assert await Rounds(second).second(state, number=3) == GOT
            assert await Rounds(stranger).second(state, number=3) == REFUSED

    run(main())


def test_servers_that_share_a_codec_take_each_others_states() -> None:
    codec = Codec()

    async def main() -> None:
        nodes = [asking(RequestStateSecurity(codec=one)) for one in (codec, codec, Codec())]
        first, second, stranger = [Client(node, mode=REVISION, elicitation_callback=agree) for node in nodes]
        async with first, second, stranger:
            state = await Rounds(first).first(number=3)
            assert state == "token-0"
            assert await Rounds(second).second(state, number=3) == GOT
            assert await Rounds(stranger).second(state, number=3) == REFUSED

    run(main())


def test_a_principal_is_client_issuer_and_user() -> None:
    from mcpbolt.server.auth.middleware.auth_context import auth_context_var
    from mcpbolt.server.auth.middleware.bearer_auth import AuthenticatedUser
    from mcpbolt.server.auth.provider import AccessToken

    ctx: Any = SimpleNamespace(method="tools/call", params={"name": "t"})
    boundary = RequestStateBoundary(RequestStateSecurity(keys=[KEY]), default_audience=None)
    assert request_state.authenticated_principal(ctx) is None

    def known(**more: Any) -> None:
        auth_context_var.set(AuthenticatedUser(AccessToken(token="t", client_id="app", scopes=[], **more)))

    known(subject="ann", claims={"iss": "https://login.example.com"})
    assert request_state.authenticated_principal(ctx) == '["app","https://login.example.com","ann"]'
    token = boundary.seal(ctx, "kept")
    assert boundary.unseal(ctx, token)[0] == "kept"
    try:
        for more in ({}, {"subject": "bob", "claims": {"iss": "https://login.example.com"}}):
            known(**more)
            with pytest.raises(MCPError, match="Invalid or expired requestState"):
                boundary.unseal(ctx, token)
    finally:
        auth_context_var.set(None)


class Codec:
    """Somebody else's cryptography."""

    def __init__(self) -> None:
        self.sealed: dict[str, bytes] = {}

    def seal(self, payload: bytes) -> str:
        token = f"token-{len(self.sealed)}"
        self.sealed[token] = payload
        return token

    def unseal(self, token: str) -> bytes:
        if token not in self.sealed:
            raise request_state.InvalidRequestState("it is gone")
        return self.sealed[token]


def test_a_codec_of_the_programs(caplog: pytest.LogCaptureFixture) -> None:
    codec = Codec()

    async def work(rounds: Rounds) -> None:
        state = await rounds.first()
        claims = json.loads(codec.sealed["token-0"])
        assert {name: claims[name] for name in ("v", "m", "t", "aud")} == {"v": 1, "m": "tools/call", "t": "ask", "aud": "asking"}
        assert await rounds.second(state) == GOT
        codec.sealed["token-0"] = codec.sealed["token-0"].replace(b'"asking"', b'"others"')
        assert await rounds.second(state) == REFUSED
        codec.sealed.clear()
        assert await rounds.second(state) == REFUSED

    by_hand(asking(RequestStateSecurity(codec=codec)), work)
    reasons = [record.getMessage() for record in caplog.records if record.name == "mcp.server.request_state"]
    assert reasons == [f"requestState rejected on tools/call: {reason}" for reason in ("audience", "it is gone")]


@pytest.mark.parametrize("sealed", [False, True])
def test_a_low_level_server(sealed: bool) -> None:
    seen: list[Any] = []

    async def call(ctx: Any, params: types.CallToolRequestParams) -> Any:
        seen.append((params.request_state, ctx.params.get("requestState")))
        return question("own") if params.input_responses is None else types.CallToolResult(content=[])

    async def tools(ctx: Any, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[types.Tool(name="any", inputSchema={"type": "object"})])

    server: Server[Any, Any] = Server("low", on_call_tool=call, on_list_tools=tools)
    codec = Codec()
    if sealed:
        server.middleware.append(RequestStateBoundary(RequestStateSecurity(codec=codec), default_audience="low"))

    async def main() -> None:
        async with Client(server, mode=REVISION, elicitation_callback=agree) as client:
            await client.session.call_tool("any")

    run(main())
    assert seen == [(None, None), ("own", "own")] and len(codec.sealed) == sealed


def test_what_a_server_needs_for_it() -> None:
    security = RequestStateSecurity(keys=[KEY], ttl=0.5)
    with pytest.raises(ValueError, match="this server has no name"):
        MCPServer(request_state_security=security)
    assert MCPServer(request_state_security=RequestStateSecurity(keys=[KEY], audience="a")).name == "mcp-server"
    options: Any = MCPServer("a", request_state_security=security)._mcp_server.options  # pyright: ignore
    # Which also opens what others with that key sealed, and is not that key.
    (key,) = options.pop("state_keys")
    assert options == {"host_seals_state": True} and len(key) == 64 and KEY not in key
    kept: Any = MCPServer("a", request_state_security=security, options={"host_seals_state": False, "state_keys": [KEY]})._mcp_server.options  # pyright: ignore
    assert kept == {"host_seals_state": False, "state_keys": [KEY]}


def test_keys_need_no_other_package() -> None:
    program = (
        "import sys; sys.modules['cryptography'] = None\n"
        "from mcpbolt.server.mcpserver import MCPServer, RequestStateSecurity\n"
        "security = RequestStateSecurity(keys=['k' * 32]); MCPServer('a', request_state_security=security)\n"
        "print(security.codec.unseal(security.codec.seal(b'x')), 'starlette' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)
    assert done.stdout == "b'x' False\n"


@pytest.mark.skipif(not MODERN, reason="MCPBOLT_TEST_PYTHON_MCP2 names no interpreter")
def test_the_official_package_opens_and_refuses_the_same() -> None:
    def said(package: str, token: str | None = None) -> Any:
        own = package == "mcpbolt"
        path = str(Path(mcpbolt.__file__).parent.parent) if own else ""
        words = [sys.executable if own else MODERN, str(FOLDER / "request_states.py"), package, *([token] if token else [])]
        done = subprocess.run(
            words, capture_output=True, check=True, text=True, timeout=START, env=dict(os.environ, PYTHONPATH=path)
        )
        return json.loads(done.stdout)

    theirs = said("mcp")
    ours = said("mcpbolt", theirs["token"])
    assert len(theirs["tries"]) > 50
    for name, expected in theirs["tries"].items():
        assert ours["tries"][name] == expected, name
    # Servers with the same keys read each other's states.
    assert ours["opened"] == said("mcp", ours["token"])["opened"] == "state ☃\ud800"
