"""What users may do to the boundary: many calls, giving up, dropping, forking, stopping."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import anyio
import pytest
from bounds import LIMIT, PROMISED, START, WHOLE
from memory import connected
from peer import FOLDER, own_command, soon
from wire import Child, text_of

import mcpbolt
from mcpbolt import Client, ClientSession, StdioServerParameters, stdio_client
from mcpbolt.server.fastmcp import FastMCP
from mcpbolt.shared.exceptions import OverloadedError, SessionClosed

MANY = 10_000
PATH = str(Path(mcpbolt.__file__).parent.parent)
posix = pytest.mark.skipif(os.name != "posix", reason="needs fork and signals")


def test_ten_thousand_concurrent_calls_are_answered() -> None:
    mcp: FastMCP[Any] = FastMCP("many")
    gate, all_run = asyncio.Event(), asyncio.Event()
    running = 0

    @mcp.tool()
    async def hold(n: int) -> int:
        nonlocal running
        running += 1
        if running == MANY:
            all_run.set()
        await gate.wait()
        return n

    async def main() -> None:
        async with Client(mcp, mode="legacy") as client:
            calls = [asyncio.ensure_future(client.call_tool("hold", {"n": n})) for n in range(MANY)]
            await all_run.wait()
            with pytest.raises(OverloadedError):
                await soon(client.call_tool("hold", {"n": MANY}))
            gate.set()
            results = await asyncio.gather(*calls)
            assert [result.structuredContent for result in results] == [{"result": n} for n in range(MANY)]
            assert (await soon(client.call_tool("hold", {"n": 1}))).structuredContent == {"result": 1}

    asyncio.run(asyncio.wait_for(main(), WHOLE))


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_cancelling_a_hung_call_stops_it(mode: str) -> None:
    mcp: FastMCP[Any] = FastMCP("hangs")
    begun, ended = asyncio.Event(), asyncio.Event()
    seen: list[str] = []

    @mcp.tool()
    async def hang() -> str:
        begun.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            seen.append("cancelled")
            ended.set()
            raise
        return ""

    async def main() -> None:
        async with Client(mcp, mode=mode) as client:
            call = asyncio.ensure_future(client.call_tool("hang"))
            await soon(begun.wait())
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await soon(call)
            await soon(ended.wait())
            assert seen == ["cancelled"]
            await soon(client.list_tools())

    asyncio.run(main())


def test_scopes_and_limits_are_a_handlers_first_statement() -> None:
    mcp: FastMCP[Any] = FastMCP("scopes")

    @mcp.tool()
    async def scope() -> str:
        with anyio.move_on_after(0) as found:
            await anyio.sleep_forever()
        return f"moved on {found.cancelled_caught}"

    @mcp.tool()
    async def group() -> str:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(anyio.lowlevel.checkpoint)
        assert isinstance(asyncio.current_task(), asyncio.Task)
        return "grouped"

    @mcp.tool()
    async def limit() -> str:
        if sys.version_info < (3, 11):
            return "limited"
        try:
            async with asyncio.timeout(0):
                await asyncio.Event().wait()
        except TimeoutError:
            return "limited"
        return ""

    async def main() -> None:
        async with connected(mcp) as client:
            words = [(await client.call(name))["content"][0]["text"] for name in ("scope", "group", "limit")]
            assert words == ["moved on True", "grouped", "limited"]

    asyncio.run(asyncio.wait_for(main(), WHOLE))


def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = dict(os.environ, PYTHONPATH=PATH)
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), *arguments],
        capture_output=True,
        text=True,
        env=environment,
        timeout=START,
    )


DROPS = """
    import asyncio, os, sys
    from mcpbolt import ClientSession, StdioServerParameters, stdio_client

    async def main():
        way = stdio_client(StdioServerParameters(command=sys.executable, args=sys.argv[1:], env=dict(os.environ)))
        session = ClientSession(*await way.__aenter__())
        await session.initialize()
        call = asyncio.ensure_future(session.call_tool("hang"))
        await session.list_tools()
        {end}

    asyncio.run(main())
    print("over")
"""


@pytest.mark.parametrize("end", ["return", "call.cancel(); del session, way, call", "await session.close(); await session.close(); call.exception()"])
def test_dropping_while_pending_ends_everything(end: str) -> None:
    done = run(DROPS.format(end=end), str(FOLDER / "own_server.py"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "over\n", "")


def test_importing_everything_starts_nothing() -> None:
    done = run(
        """
        import asyncio, importlib, logging, os, pkgutil, signal, sys, threading

        before = {number: signal.getsignal(number) for number in signal.valid_signals()}
        import mcpbolt
        for module in pkgutil.walk_packages(mcpbolt.__path__, "mcpbolt."):
            if not module.name.endswith(("__main__", "websocket")):
                importlib.import_module(module.name)
        for name in dir(mcpbolt):
            getattr(mcpbolt, name)
        assert threading.enumerate() == [threading.main_thread()], threading.enumerate()
        if sys.platform == "linux":
            assert len(os.listdir("/proc/self/task")) == 1
            kinds = [os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{fd}")]
            assert not [kind for kind in kinds if "event" in kind or "socket" in kind], kinds
        assert asyncio._get_running_loop() is None
        assert getattr(asyncio.get_event_loop_policy(), "_local")._loop is None
        assert not logging.root.handlers and logging.root.level == logging.WARNING
        for name, logger in logging.root.manager.loggerDict.items():
            if name.startswith("mcp"):
                assert not getattr(logger, "handlers", []), name
        assert {number: signal.getsignal(number) for number in signal.valid_signals()} == before
        """
    )
    assert (done.returncode, done.stderr) == (0, "")


@posix
@pytest.mark.parametrize("leaves", ["sys.exit(3)", "raise SystemExit", "raise ValueError('of the child')", "return 'child'"])
def test_a_forked_child_that_leaves_says_nothing_to_its_parents_client(leaves: str) -> None:
    server = f"""
        import os, signal, sys, warnings
        warnings.simplefilter("ignore", DeprecationWarning)  # 3.12 on: threads and forks
        from mcpbolt.server.fastmcp import FastMCP

        mcp = FastMCP("forks")

        @mcp.tool()
        def fork() -> str:
            child = os.fork()
            if child == 0:
                # It may hang, without its parent's threads: what counts is what it says.
                signal.alarm(2)
                {leaves}
            os.waitpid(child, 0)
            return "parent"

        mcp.run()
    """
    with Child(textwrap.dedent(server)) as child:
        child.ask("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "t", "version": "1"})
        child.send({"method": "notifications/initialized"})
        for _ in range(2):
            answer = child.ask("tools/call", name="fork", arguments={})
            assert text_of(answer) == "parent", answer


@posix
def test_a_forked_child_is_refused() -> None:
    done = run(
        """
        import asyncio, os, sys, warnings
        warnings.simplefilter("ignore", DeprecationWarning)  # 3.12 on: threads and forks
        from mcpbolt import Client, StdioServerParameters
        from mcpbolt.shared.exceptions import McpError

        target = StdioServerParameters(command=sys.executable, args=sys.argv[1:], env=dict(os.environ))

        async def anew():
            async with Client(target) as client:
                return (await client.call_tool("add", {"a": 1, "b": 2})).structuredContent

        async def main():
            async with Client(target) as client:
                await client.call_tool("add", {"a": 1, "b": 2})
                child = os.fork()
                if child == 0:
                    # The parent's loop is no use here; its session has to say so.
                    asyncio._set_running_loop(None)
                    try:
                        asyncio.new_event_loop().run_until_complete(asyncio.wait_for(client.session.ask("tools/list"), 30))
                        os._exit(1)
                    except McpError as error:
                        assert error.kind == "usage" and "fork" in str(error), error
                    except BaseException as error:
                        print(repr(error), file=sys.stderr, flush=True)
                        os._exit(2)
                    assert asyncio.new_event_loop().run_until_complete(anew()) == {"result": 3}
                    os._exit(7)
                _, status = await asyncio.to_thread(os.waitpid, child, 0)
                assert os.waitstatus_to_exitcode(status) == 7, os.waitstatus_to_exitcode(status)
                # The parent lives.
                assert (await client.call_tool("add", {"a": 2, "b": 2})).structuredContent == {"result": 4}

        asyncio.run(main())
        """,
        str(FOLDER / "own_server.py"),
    )
    assert (done.returncode, done.stderr) == (0, "")


@posix
@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_processes_of_multiprocessing_have_clients_of_their_own(method: str, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent(
            """
            import multiprocessing, os, sys, warnings
            warnings.simplefilter("ignore", DeprecationWarning)
            from mcpbolt import StdioServerParameters, SyncClient

            target = StdioServerParameters(command=sys.executable, args=[sys.argv[2]], env=dict(os.environ))

            def add(a):
                with SyncClient(target) as client:
                    return client.call_tool("add", {"a": a, "b": 1}).structuredContent["result"]

            if __name__ == "__main__":
                with SyncClient(target) as client:
                    assert client.call_tool("add", {"a": 1, "b": 1}).structuredContent == {"result": 2}
                    with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
                        print(pool.map(add, [1, 2, 3]))
                        pool.close()
                        pool.join()
                    assert client.call_tool("add", {"a": 2, "b": 1}).structuredContent == {"result": 3}
            """
        )
    )
    done = subprocess.run(
        [sys.executable, str(program), method, str(FOLDER / "own_server.py")],
        capture_output=True,
        text=True,
        env=dict(os.environ, PYTHONPATH=PATH),
        timeout=START,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "[2, 3, 4]\n", "")


STUBBORN = """
import json, signal, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}
for line in sys.stdin:
    message = json.loads(line)
    if message["method"] == "initialize":
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": hello}), flush=True)
while True:
    signal.pause()
"""


@posix
def test_closing_is_bounded_though_the_server_will_not_go() -> None:
    async def main() -> None:
        parameters = StdioServerParameters(command=sys.executable, args=["-c", STUBBORN])
        async with stdio_client(parameters) as (read, write):
            session = ClientSession(read, write)
            await soon(session.initialize(), START)
            call = asyncio.ensure_future(session.call_tool("any"))
            await anyio.wait_all_tasks_blocked()
            begun = anyio.current_time()
            await asyncio.gather(session.close(), session.close())
            await session.close()
            assert anyio.current_time() - begun < PROMISED + 1
            with pytest.raises(SessionClosed):
                await soon(call)

    anyio.run(main)


LOOPS = {
    "uvloop": "import uvloop; uvloop.run(mcp.run_stdio_async())",
    "trio": """
        import trio
        from mcpbolt.server.stdio import stdio_server
        async def main():
            async with stdio_server() as streams:
                server = mcp._mcp_server
                await server.run(*streams, server.create_initialization_options())
        trio.run(main)
    """,
}


@pytest.mark.parametrize("loop", LOOPS)
def test_other_loops_serve_standard_streams(loop: str) -> None:
    pytest.importorskip(loop)
    program = """
        import anyio
        from mcpbolt.server.fastmcp import FastMCP
        mcp = FastMCP("loops")
        @mcp.tool()
        async def later(text: str) -> str:
            with anyio.move_on_after(5):
                await anyio.sleep(0)
            return text
        @mcp.tool()
        async def hang() -> str:
            await anyio.sleep_forever()
            return ""
        @mcp.tool()
        def now(text: str) -> str:
            return text
    """
    with Child(textwrap.dedent(program) + textwrap.dedent(LOOPS[loop])) as server:
        server.open()
        for name in ("later", "now"):
            assert text_of(server.call(name, text="here")) == "here"
        number = server.start("tools/call", name="hang", arguments={})
        server.send({"method": "notifications/cancelled", "params": {"requestId": number}})
        assert server.ask("ping")["result"] == {}
        assert server.end() == (0, "")


def test_a_client_on_uvloop() -> None:
    uvloop = pytest.importorskip("uvloop")

    async def main() -> None:
        async with Client(own_command()) as client:
            assert (await soon(client.call_tool("add", {"a": 1, "b": 2}), START)).structuredContent == {"result": 3}

    uvloop.run(main())


@pytest.mark.parametrize("end", ["input", "signal"])
def test_a_question_ends_with_its_client(end: str) -> None:
    program = """
        import sys
        from mcpbolt.server.fastmcp import Context, FastMCP
        from pydantic import BaseModel
        mcp = FastMCP("asks")
        class Form(BaseModel):
            name: str
        @mcp.tool()
        async def ask(ctx: Context) -> str:
            try:
                await ctx.elicit("Who?", Form)
            except BaseException as error:
                print(type(error).__name__, getattr(error, "kind", ""), file=sys.stderr, flush=True)
                raise
            return ""
        mcp.run()
    """
    with Child(textwrap.dedent(program)) as server:
        server.open(elicitation={})
        server.start("tools/call", name="ask", arguments={})
        assert server.receive()["method"] == "elicitation/create"
        if end == "input":
            code, said = server.end()
        else:
            server.signal(signal.SIGTERM)
            code, said = server.process.wait(LIMIT), server.errors()
        assert code == (0 if end == "input" else 143)
        assert said in ("CancelledError \n", "SessionClosed closed\n"), said
