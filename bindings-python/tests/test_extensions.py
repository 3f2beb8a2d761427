"""Extensions of a program's own: rows of methods, hooks, what peers get that did not declare one; and
the same extension in the other languages.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from bounds import LIMIT
from eras import ERAS, run, with_client
from peer import text

from mcpbolt import Client, MCPError, types
from mcpbolt.client import ClientExtension, ExtensionMethod
from mcpbolt.server import MCPServer
from mcpbolt.server.extension import Extension, MethodBinding

ID, MIX, GUESS = "com.example/colours", "com.example/mix", "com.example/guess"
EXAMPLE = Path(__file__).parents[2] / "examples/python/colours.py"
# Commands of the same program in other languages, as JSON.
PEERS: list[list[str]] = json.loads(os.environ.get("MCPBOLT_TEST_COLOURS", "[]"))


class Colours(types.RequestParams):
    name: str = ""
    colours: list[str] = []


class Mixing(Extension):
    identifier = ID

    def __init__(self) -> None:
        self.seen: list[str] = []

    def settings(self) -> dict[str, Any]:
        return {"depth": 8}

    def methods(self) -> list[MethodBinding]:
        async def mix(ctx: Any, params: Colours) -> dict[str, Any]:
            return {"mixed": params.colours}

        return [
            MethodBinding(MIX, Colours, mix, undeclared="refuse", named_by="name"),
            MethodBinding(GUESS, Colours, mix),
        ]

    def hooks(self) -> dict[str, Any]:
        async def watch(ctx: Any, call_next: Any) -> Any:
            self.seen.append(ctx.method)
            if ctx.method == "tools/call" and ctx.params["name"] == "forbidden":
                raise MCPError(-9, "not through here")
            return {**await call_next(ctx), "_meta": {"com.example/signed": True}}

        return {"tools/call": watch, "tools/list": watch}


class Mixer(ClientExtension):
    identifier = ID

    def methods(self) -> list[ExtensionMethod]:
        return [ExtensionMethod(MIX, named_by="name"), ExtensionMethod(GUESS)]

    def request_hooks(self) -> dict[str, Any]:
        def only_with_colours(params: dict[str, Any] | None) -> dict[str, Any]:
            if not (params or {}).get("colours"):
                raise ValueError("say which colours")
            return {**(params or {}), "name": "sky"}

        return {MIX: only_with_colours}

    def result_hooks(self) -> dict[str, Any]:
        def mixed(result: dict[str, Any]) -> None:
            if result["mixed"] == ["mud"]:
                raise ValueError("nobody wants that")

        return {MIX: mixed}


def studio(mixing: Mixing | None = None, **options: Any) -> MCPServer:
    server = MCPServer("studio", extensions=[mixing or Mixing()], **options)

    @server.tool()
    def paint(colour: str = "grey") -> str:
        return f"a {colour} sky"

    @server.tool()
    def forbidden() -> str:
        raise AssertionError("the hook lets nobody through")

    return server


@ERAS
def test_a_row_says_who_may_send_its_method(mode: str) -> None:
    async def main() -> None:
        async with Client(studio(), mode=mode, extensions=[Mixer()]) as client:
            declared: Any = client.server_capabilities.extensions
            assert declared == {ID: {"depth": 8}}
            assert (await client.session.ask(MIX, '{"colours": ["red"]}'))["mixed"] == ["red"]
        async with Client(studio(), mode=mode) as plain:
            with pytest.raises(MCPError) as refused:
                await plain.session.ask(MIX, '{"colours": ["red"]}')
            # The legacy era has no such code.
            assert refused.value.code == (-32600 if mode == "legacy" else -32021)
            assert refused.value.data == {"requiredCapabilities": {"extensions": {ID: {}}}}
            assert (await plain.session.ask(GUESS, '{"colours": ["blue"]}'))["mixed"] == ["blue"]

    run(main())


@ERAS
def test_hooks_see_requests_and_results_of_others(mode: str) -> None:
    mixing = Mixing()
    # Outside the hooks, as all middleware is.
    outer: list[str] = []

    async def outside(ctx: Any, call_next: Any) -> Any:
        outer.append(ctx.method)
        return await call_next(ctx)

    async def test(client: Client) -> None:
        listed = await client.list_tools()
        assert [tool.name for tool in listed.tools] == ["paint", "forbidden"]
        painted = await client.call_tool("paint", {"colour": "red"})
        assert text(painted) == "a red sky" and (painted.meta or {})["com.example/signed"] is True
        with pytest.raises(MCPError) as refused:
            await client.call_tool("forbidden")
        assert refused.value.code == -9

    with_client(mode, studio(mixing), test)
    assert mixing.seen == ["tools/list", "tools/call", "tools/call"]
    with_client(mode, studio(Mixing(), middleware=[outside]), test)
    assert outer[-3:] == ["tools/list", "tools/call", "tools/call"]


@ERAS
def test_a_client_sends_what_its_hooks_let_through_to_servers_that_have_it(mode: str) -> None:
    async def main() -> None:
        async with Client(studio(), mode=mode, extensions=[Mixer()]) as client:
            with pytest.raises(ValueError, match="which colours"):
                await client.session.ask(MIX)
            with pytest.raises(ValueError, match="nobody wants"):
                await client.session.ask(MIX, '{"colours": ["mud"]}')
        async with Client(MCPServer("plain"), mode=mode, extensions=[Mixer()]) as client:
            with pytest.raises(MCPError) as unsent:
                await client.session.ask(GUESS, "{}")
            assert unsent.value.code == -32601 and "did not declare" in str(unsent.value)

    run(main())


def test_access_rules_and_records_know_the_methods() -> None:
    asked: list[Any] = []
    records: list[Any] = []

    def authorize(asker: Any, action: Any) -> Any:
        asked.append((action.verb, action.thing, action.name))
        return "hide" if action.name == GUESS else "allow"

    async def main() -> None:
        server = studio(authorize=authorize, audit=records.append)
        async with Client(server, mode="2026-07-28", extensions=[Mixer()]) as client:
            await client.session.ask(MIX, '{"colours": ["red"]}')
            with pytest.raises(MCPError) as hidden:
                await client.session.ask(GUESS, "{}")
            assert hidden.value.code == -32601

    run(main())
    assert asked == [("call", "method", MIX), ("call", "method", GUESS)]
    named = {record["method"]: record["name"] for record in records}
    assert (named[MIX], named[GUESS]) == ("sky", None)


def mixed_by(server: list[str]) -> str:
    """What the example says that visits a server."""
    visit = [sys.executable, str(EXAMPLE), "--", *server]
    return subprocess.run(visit, capture_output=True, text=True, timeout=LIMIT, check=True).stdout


def test_the_example_visits_itself() -> None:
    assert mixed_by([sys.executable, str(EXAMPLE)]) == "depth 8: a purple sky, signed\n"


@pytest.mark.skipif(not PEERS, reason="MCPBOLT_TEST_COLOURS names no programs in other languages")
@pytest.mark.parametrize("program", PEERS, ids=lambda program: Path(program[-1]).name)
def test_the_same_extension_in_another_language(program: list[str]) -> None:
    """This client on its server, and its client on this server."""
    assert mixed_by(program) == "depth 8: a purple sky, signed\n"
    visit = [*program, "--", sys.executable, str(EXAMPLE)]
    said = subprocess.run(visit, capture_output=True, text=True, timeout=LIMIT, check=True).stdout
    assert said == "depth 8: a purple sky, signed\n"
