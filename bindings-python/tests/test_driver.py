"""The loop and what lives on it: forks, many calls, other loops, nothing left behind."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import textwrap
import threading
from typing import Any

import pytest
from bounds import LIMIT, WHOLE
from mcpbolt._engine.driver import Driver, _drivers
from mcpbolt.server.fastmcp import Context, FastMCP
from memory import connected
from wire import Child, text_of


def make(**options: Any) -> FastMCP[Any]:
    mcp: FastMCP[Any] = FastMCP("driver", **options)

    @mcp.tool()
    async def later(n: int) -> int:
        await asyncio.sleep(0)
        return n

    @mcp.tool()
    def now(n: int) -> int:
        return n

    @mcp.tool()
    async def flood(ctx: Context, n: int) -> int:
        for step in range(1, n + 1):
            await ctx.report_progress(step, n, "x" * 100)
        return n

    return mcp


def test_importing_and_constructing_starts_nothing() -> None:
    program = textwrap.dedent(
        """
        import os, sys, threading, logging
        from mcpbolt.server.fastmcp import FastMCP

        mcp = FastMCP("quiet")

        @mcp.tool()
        def tool() -> str: return ""

        assert "asyncio" not in sys.modules or not threading.enumerate()[1:]
        assert len(os.listdir("/proc/self/task")) == 1
        assert not logging.getLogger().handlers
        import signal
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        """
    )
    with Child(program) as child:
        assert child.end() == (0, "")


def test_a_server_made_before_a_fork_serves_in_the_child() -> None:
    program = textwrap.dedent(
        """
        import os
        from mcpbolt.server.fastmcp import FastMCP

        mcp = FastMCP("forked")

        @mcp.tool()
        def where() -> bool: return os.getpid() != parent

        parent = os.getpid()
        if os.fork():
            os.wait()
        else:
            mcp.run()
        """
    )
    with Child(program) as child:
        child.open()
        assert text_of(child.call("where")) == "true"
        assert child.end() == (0, "")


def test_children_that_leave_while_messages_arrive_end_and_answer_nobody() -> None:
    # A child has a copy of each lock, also of those that a thread of the engine held just then,
    # and nobody to unlock them: what it ends by leaving must not wait for one.
    program = textwrap.dedent(
        """
        import os, sys
        from mcpbolt.server.fastmcp import FastMCP

        mcp = FastMCP("forking")

        @mcp.tool()
        async def fork() -> str:
            child = os.fork()
            if child == 0:
                sys.exit(0)
            os.waitpid(child, 0)
            return "parent"

        @mcp.tool()
        def echo(n: int) -> int: return n

        mcp.run()
        """
    )
    with Child(program) as child:
        child.open()
        for _ in range(10):
            forked = child.start("tools/call", name="fork", arguments={})
            echoed = [child.start("tools/call", name="echo", arguments={"n": n}) for n in range(50)]
            seen = {answer["id"]: text_of(answer) for answer in (child.receive() for _ in range(51))}
            assert seen == {forked: "parent", **{number: str(n) for n, number in enumerate(echoed)}}
        # asyncio says in each child that nobody looked at its task.
        code, _ = child.end()
        assert code == 0


def test_a_driver_of_the_parent_is_refused_in_the_child() -> None:
    async def test() -> None:
        driver = Driver.acquire()
        pid = os.fork()
        if pid == 0:
            try:
                driver.inbox.check()
            except BaseException as error:
                os._exit(7 if "before a fork" in str(error) else 1)
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7
        driver.release()

    asyncio.run(test())


@pytest.mark.parametrize("name", ["later", "now"])
def test_many_calls_at_once_are_all_answered(name: str) -> None:
    async def test() -> None:
        async with connected(make()) as client:
            total = 2000

            async def ask() -> None:
                for number in range(total):
                    params = {"name": name, "arguments": {"n": number}}
                    await client.send({"id": f"n{number}", "method": "tools/call", "params": params})

            asking = asyncio.ensure_future(ask())
            seen: dict[str, int] = {}
            while len(seen) < total:
                answer = await client.receive()
                seen[answer["id"]] = answer["result"]["structuredContent"]["result"]
            await asking
            assert seen == {f"n{number}": number for number in range(total)}

    asyncio.run(asyncio.wait_for(test(), WHOLE))


def test_a_client_that_does_not_read_makes_handlers_wait() -> None:
    async def test() -> None:
        async with connected(make(options={"send_queue.bytes": 4000})) as client:
            params = {"name": "flood", "arguments": {"n": 300}, "_meta": {"progressToken": 1}}
            number = await client.start("tools/call", params)
            steps = []
            while (message := await client.receive()).get("id") != number:
                steps.append(message["params"]["progress"])
            assert steps == sorted(steps)
            assert message["result"]["structuredContent"] == {"result": 300}

    asyncio.run(asyncio.wait_for(test(), WHOLE))


def test_nothing_is_left_behind() -> None:
    async def test() -> None:
        tasks = asyncio.all_tasks()
        async with connected(make()) as client:
            await client.call("later", n=1)
            await client.call("now", n=1)
        assert not _drivers
        assert asyncio.all_tasks() == tasks

    async def both() -> None:
        for _ in range(3):
            await test()

    def left() -> int:
        for thread in threading.enumerate():
            if thread.name.startswith("mcpbolt-w"):
                thread.join(LIMIT)
                assert not thread.is_alive()
        gc.collect()
        return len(os.listdir("/proc/self/fd")) if sys.platform == "linux" else 0

    asyncio.run(asyncio.wait_for(both(), WHOLE))
    descriptors = left()
    asyncio.run(asyncio.wait_for(both(), WHOLE))
    assert left() == descriptors


def test_loops_that_cannot_watch_descriptors() -> None:
    class Loop(asyncio.SelectorEventLoop):
        def add_reader(self, fd: Any, callback: Any, *args: Any) -> None:
            if getattr(callback, "__self__", None).__class__ is Driver:
                raise NotImplementedError
            super().add_reader(fd, callback, *args)  # type: ignore[arg-type]

    async def test() -> None:
        async with connected(make()) as client:
            assert (await client.call("later", n=5))["structuredContent"] == {"result": 5}
            assert (await client.call("now", n=6))["structuredContent"] == {"result": 6}

    loop = Loop()
    try:
        loop.run_until_complete(asyncio.wait_for(test(), WHOLE))
    finally:
        loop.close()


def test_uvloop() -> None:
    uvloop = pytest.importorskip("uvloop")

    async def test() -> None:
        async with connected(make()) as client:
            assert (await client.call("later", n=5))["structuredContent"] == {"result": 5}
            assert (await client.call("now", n=6))["structuredContent"] == {"result": 6}

    loop = uvloop.new_event_loop()
    try:
        loop.run_until_complete(asyncio.wait_for(test(), WHOLE))
    finally:
        loop.close()


def test_overrides_and_patches_are_honoured() -> None:
    class Shouting(FastMCP[Any]):
        async def list_tools(self) -> Any:
            tools = await super().list_tools()
            return [tool.model_copy(update={"description": "!"}) for tool in tools]

        async def call_tool(self, name: str, arguments: Any) -> Any:
            return await super().call_tool(name, {**arguments, "n": 99})

    async def test() -> None:
        mcp = Shouting("x")

        @mcp.tool()
        def now(n: int) -> int:
            return n

        async with connected(mcp) as client:
            listed = (await client.ask("tools/list"))["result"]["tools"]
            assert [tool["description"] for tool in listed] == ["!"]
            assert (await client.call("now", n=1))["structuredContent"] == {"result": 99}
        plain = make()
        async with connected(plain) as client:
            assert (await client.call("now", n=1))["structuredContent"] == {"result": 1}
            before = plain._tool_manager.call_tool

            async def patched(name: str, arguments: Any, **more: Any) -> Any:
                return await before(name, {"n": 7}, **more)

            plain._tool_manager.call_tool = patched  # type: ignore[method-assign]
            assert (await client.call("now", n=1))["structuredContent"] == {"result": 7}
            assert (await client.call("later", n=1))["structuredContent"] == {"result": 7}

    asyncio.run(asyncio.wait_for(test(), WHOLE))


def test_docstring_parameters_on_demand() -> None:
    mcp: FastMCP[Any] = FastMCP("docs", docstring_params=True)

    @mcp.tool()
    def google(a: int, b: str = "") -> str:
        """Do it.

        Args:
            a: The first,
                of two.
            b (str): The second.

        Returns:
            Nothing: really.
        """
        return ""

    @mcp.tool()
    def sphinx(a: int, b: str = "") -> str:
        """Do it.

        :param a: The first.
        :param str b: The second.
        """
        return ""

    @mcp.tool(docstring_params=False)
    def off(a: int) -> str:
        """Do it.

        Args:
            a: The first.
        """
        return ""

    def described(name: str) -> list[str | None]:
        tool = mcp._tool_manager.get_tool(name)
        assert tool is not None
        return [part.get("description") for part in tool.parameters["properties"].values()]

    assert described("google") == ["The first, of two.", "The second."]
    assert described("sphinx") == ["The first.", "The second."]
    assert described("off") == [None]


def test_drivers_are_made_while_another_thread_makes_one() -> None:
    """A look through the drivers there are, for loops that are closed, outlasts what joins them."""
    meanwhile: list[threading.Thread] = []

    class Loop(asyncio.SelectorEventLoop):
        def is_closed(self) -> bool:
            while meanwhile:
                thread = meanwhile.pop()
                thread.start()
                thread.join(LIMIT)
            return super().is_closed()

    async def acquired() -> Driver:
        return Driver.acquire()

    loop = Loop()
    try:
        first = loop.run_until_complete(acquired())

        async def main() -> None:
            meanwhile.append(threading.Thread(target=lambda: asyncio.run(acquired())))
            Driver.acquire().release()
            assert not meanwhile

        asyncio.run(main())
        loop.call_soon(first.release)
        loop.run_until_complete(asyncio.sleep(0))
    finally:
        loop.close()
