"""`Host`: servers of an `mcpServers` object under names, over stdio and HTTP, their tools
in one list, and what becomes of it when servers change or go.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from bounds import LIMIT, START
from peer import FOLDER, soon, text
from ports import free_port

import mcpbolt
from mcpbolt import Client, Host, HostTool, types
from mcpbolt.client._refreshes import Refreshes
from mcpbolt.client.host import ClientOptions
from mcpbolt.server import Server
from mcpbolt.server.fastmcp import FastMCP
from mcpbolt.shared.exceptions import ConnectError, UsageError

PATH = str(Path(mcpbolt.__file__).parent.parent)
PEER = str(FOLDER / "host_server.py")


def entry(name: str, **more: Any) -> dict[str, Any]:
    """A server of the file that is a program."""
    return {"command": sys.executable, "args": [PEER, name], "env": {"PYTHONPATH": PATH, "WHO": name.upper()}, **more}


@contextmanager
def serving(name: str, *how: str) -> Iterator[int]:
    """A server of the file that is behind a URL: its port."""
    port = free_port()
    words = [sys.executable, PEER, name, str(port), *how]
    process = subprocess.Popen(words, stderr=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": PATH})
    try:
        end = time.monotonic() + START
        while not listens(port):
            assert time.monotonic() < end, "the server does not listen"
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(0.02)
        yield port
    finally:
        process.kill()
        process.wait(LIMIT)


def listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


class Lists:
    """Every merged list that was told."""

    def __init__(self) -> None:
        self.names: list[list[str]] = []
        self._told = anyio.Event()

    def __call__(self, tools: list[HostTool]) -> None:
        self.names.append([tool.name for tool in tools])
        self._told.set()

    async def until(self, fits: Callable[[list[str]], bool]) -> None:
        with anyio.fail_after(LIMIT):
            while not self.names or not fits(self.names[-1]):
                self._told = anyio.Event()
                await self._told.wait()


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_a_file_of_servers_becomes_one_list_of_tools(backend: str, tmp_path: Path) -> None:
    async def main(port: int, old: int) -> None:
        file = tmp_path / "mcp.json"
        servers = {
            "files": entry("files"),
            "web": {"url": f"http://127.0.0.1:{port}/mcp", "headers": {"x-who": "ada"}},
            "old": {"url": f"http://127.0.0.1:{old}/sse", "type": "sse", "headers": {"x-who": "bob"}},
            "off": {"command": "/nowhere", "disabled": True},
        }
        file.write_text(json.dumps({"mcpServers": servers, "other": 1}))
        async with Host.from_file(file) as host:
            assert host.failures == {} and host.servers == ["files", "web", "old"] == list(host.sessions)
            assert [session.state for session in host.sessions.values()] == ["ready"] * 3
            names = [tool.name for tool in host.tools]
            assert names == [
                name
                for server in ("files", "web", "old")
                for name in (f"{server}_who", f"only_{server}", f"{server}_grow", f"{server}_leave")
            ]
            found = host.find("web_who")
            assert found is not None and (found.server, found.tool.name) == ("web", "who")
            assert host.find("who") is None
            assert text(await soon(host.call_tool("only_files"))) == "files"
            said = [text(await soon(host.call_tool(f"{server}_who", {}))) for server in host.servers]
            assert said == ["files FILES", "web ada", "old bob"]
            with pytest.raises(UsageError, match="no server has a tool who: Host.tools lists"):
                await host.call_tool("who")
            sessions = host.sessions
        assert host.servers == [] and {session.state for session in sessions.values()} == {"closed"}

    with serving("web") as port, serving("old", "sse") as old:
        anyio.run(main, port, old, backend=backend)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_tool_that_is_added_is_in_the_list(mode: str) -> None:
    async def main() -> None:
        lists = Lists()
        async with Host({"mcpServers": {"one": entry("one")}}, on_tools_changed=lists, mode=mode) as host:
            assert host.sessions["one"].is_modern is (mode == "auto")
            assert lists.names == [["who", "only_one", "grow", "leave"]]
            await soon(host.call_tool("grow"))
            await lists.until(lambda names: "grown" in names)
            assert text(await soon(host.call_tool("grown"))) == "one"

    anyio.run(main)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_server_whose_list_changes_with_each_answer_is_asked_less_and_less(mode: str) -> None:
    async def main() -> None:
        asked: list[float] = []
        enough = anyio.Event()
        server: Server[Any, Any] = Server("restless")

        @server.list_tools()
        async def tools() -> list[types.Tool]:
            asked.append(time.monotonic())
            if len(asked) == 5:
                enough.set()
            server.notify("tools")
            return []

        server.notification_options.tools_changed = True
        async with Host(mode=mode) as host:
            await host.add("restless", server)
            await soon(enough.wait())
        # The first notice is heeded at once.
        gaps = [late - early for early, late in zip(asked[1:], asked[2:])]
        assert all(gap >= least for gap, least in zip(gaps, (0.1, 0.2, 0.4))), gaps

    anyio.run(main)


def test_after_some_quiet_changes_are_heeded_as_soon_as_at_first() -> None:
    now = 0.0
    refreshes = Refreshes(lambda: now)
    waits: list[float] = []
    for quiet in (0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0):
        now += quiet
        due = refreshes.due()
        waits.append(round(due - now, 3))
        now = due
        refreshes.done()
    assert waits == [0, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 4, 0, 0.1, 0.2]


def test_a_server_that_cannot_be_reached_holds_up_no_other(port: int) -> None:
    async def main() -> None:
        config = {
            "good": entry("good"),
            "absent": {"command": "/nowhere/at/all"},
            "ends": {"command": sys.executable, "args": ["-c", "raise SystemExit(1)"]},
            "refused": {"url": f"http://127.0.0.1:{port}/mcp"},
            "both": {"command": "a", "url": "b"},
            "typed": {"command": "a", "args": "b"},
            "text": "http://localhost",
        }
        async with Host({"mcpServers": config}) as host:
            assert host.servers == ["good"]
            failed = host.failures
            assert sorted(failed) == ["absent", "both", "ends", "refused", "text", "typed"]
            assert isinstance(failed["absent"], FileNotFoundError)
            assert isinstance(failed["refused"], ConnectError)
            assert "mcpServers.both has to have either a command or a url" in str(failed["both"])
            assert "mcpServers.typed.args: " in str(failed["typed"])
            assert "mcpServers.text has to be an object" in str(failed["text"])
            with pytest.raises(FileNotFoundError):
                await host.add("absent", {"command": "/nowhere/at/all"})
            # The failure is forgotten when the server is there.
            await host.add("absent", entry("late"))
            assert host.servers == ["good", "absent"] and "absent" not in host.failures
            assert list(await host.add_config({"mcpServers": {"two": {"url": ""}}})) == ["two"]

    anyio.run(main)


def test_tools_of_a_server_that_ended_are_gone() -> None:
    async def main() -> None:
        lists = Lists()
        async with Host({"mcpServers": {"a": entry("a"), "b": entry("b")}}, on_tools_changed=lists) as host:
            with pytest.raises(mcpbolt.McpError):
                await soon(host.call_tool("a_leave"))
            await lists.until(lambda names: names == ["who", "only_b", "grow", "leave"])
            assert host.sessions["a"].state == "closed"
            await host.add("a", entry("a"))
            assert host.sessions["a"].state == "ready" and host.find("only_a") is not None
            await host.remove("b")
            assert lists.names[-1] == ["who", "only_a", "grow", "leave"]
            await host.remove("b")
            assert host.servers == ["a"]

    anyio.run(main)


def test_a_host_takes_what_a_client_takes_and_its_options() -> None:
    plain: FastMCP[Any] = FastMCP("plain")
    asking: FastMCP[Any] = FastMCP("asking")

    @plain.tool()
    def one() -> int:
        return 1

    @asking.tool()
    async def roots(ctx: mcpbolt.server.fastmcp.Context[Any, Any, Any]) -> str:
        return " ".join(str(root.uri) for root in (await ctx.session.list_roots()).roots)

    async def list_roots(context: Any) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root.model_validate({"uri": "file:///srv"})])

    def prepare(client: Client, server: str) -> None:
        if server == "asking":
            client.list_roots_callback = list_roots

    async def main() -> None:
        info = types.Implementation(name="me", version="1")
        async with Host(prepare=prepare, mode="legacy", client_info=info) as host:
            session = await host.add("plain", plain)
            assert session is host.sessions["plain"] and session.protocol_version == "2025-11-25"
            await host.add("asking", asking)
            assert (await soon(host.call_tool("one"))).structuredContent == {"result": 1}
            assert text(await soon(host.call_tool("roots"))) == "file:///srv"
            # One of the same name takes its place.
            await host.add("plain", asking)
            assert session.state == "closed" and [tool.name for tool in host.tools] == ["plain_roots", "asking_roots"]

    anyio.run(main)


def test_no_server_takes_the_place_of_another_servers_tool() -> None:
    def named(name: str, *tools: str) -> FastMCP[Any]:
        server: FastMCP[Any] = FastMCP(name)
        for tool in tools:
            server.add_tool(lambda: name, name=tool)
        return server

    async def main() -> None:
        async with Host() as host:
            await host.add("new", named("new", "git_status", "status"))
            await host.add("git", named("git", "status"))
            await host.add("svn", named("svn", "status"))
            names = [tool.name for tool in host.tools]
            assert names == ["new_git_status", "new_status", "git_status", "svn_status"]
            assert text(await soon(host.call_tool("git_status"))) == "git"
        async with Host() as host:
            await host.add("a", named("a", "b_c", "c"))
            await host.add("a_b", named("a_b", "c", "b_c"))
            assert [tool.name for tool in host.tools] == ["a_c", "a_b_b_c"] and host.find("a_b_c") is None
            with pytest.raises(UsageError, match="a and a_b both have .* give one of these servers another name"):
                await host.call_tool("a_b_c")

    anyio.run(main)


def test_trouble_beside_requests_is_told() -> None:
    async def main() -> None:
        told: list[tuple[str, str]] = []
        heard = anyio.Event()

        def on_error(error: Exception, server: str) -> None:
            told.append((type(error).__name__, server))
            heard.set()

        program = f"print('no message', flush=True); import runpy; runpy.run_path({PEER!r}, run_name='__main__')"
        babbling = {**entry("one"), "args": ["-c", program, "one"]}
        async with Host({"mcpServers": {"one": babbling}}, on_error=on_error) as host:
            assert host.servers == ["one"]
            await soon(heard.wait())
        assert told == [("ProtocolViolation", "one")]

    anyio.run(main)


def test_callbacks_that_fail_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    def fail(*_: Any) -> None:
        raise ValueError("my fault")

    async def main() -> None:
        plain: FastMCP[Any] = FastMCP("plain")
        async with Host(on_tools_changed=fail, on_error=fail) as host:
            await host.add("plain", plain)
            assert host.servers == ["plain"]

    anyio.run(main)
    assert "Uncaught exception in on_tools_changed" in caplog.text


@pytest.mark.parametrize(
    ("config", "words"),
    [({}, "there is no mcpServers object"), ({"mcpServers": []}, "there is no mcpServers object"), ("{", "is no JSON")],
)
def test_what_is_no_config_is_named(config: Any, words: str, tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    file.write_text(config if isinstance(config, str) else json.dumps(config))
    with pytest.raises(UsageError, match=words):
        Host.from_file(file)
    with pytest.raises(FileNotFoundError):
        Host.from_file(tmp_path / "none.json")
    wrong: Any = {"modes": "auto"}
    with pytest.raises(UsageError, match="a host has no option modes"):
        Host(**wrong)


def test_a_host_that_is_closed_while_it_connects_keeps_nothing() -> None:
    async def main() -> None:
        hang = {"command": sys.executable, "args": ["-c", "import sys; sys.stdin.read()"]}
        host = Host({"mcpServers": {"hang": hang}})
        opening = asyncio.ensure_future(host.__aenter__())
        await asyncio.sleep(0)
        opening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(opening, LIMIT)
        assert host.servers == []
        # Nothing of it goes on.
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(main())


def test_options_are_those_of_the_client() -> None:
    from dataclasses import fields

    own = {"server", "headers", "auth", "raise_exceptions", "prior_discover"}
    every = {field.name for field in fields(Client) if field.init}
    assert ClientOptions.__optional_keys__ == every - own
