"""A high-level server as a program on standard streams, fast and slow."""

import textwrap

import pytest

SERVER = textwrap.dedent(
    '''
    import asyncio, contextvars, os, sys, threading, time
    from mcpbolt.server.fastmcp import Context, FastMCP

    mcp = FastMCP("test", instructions="Use it.", {options})
    gate = threading.Event()
    user = contextvars.ContextVar("user", default="nobody")
    user.set("main")

    @mcp.tool()
    def add(a: int, b: int = 1) -> int:
        """Add."""
        return a + b

    async def back(text):
        await asyncio.sleep(0)
        return text

    @mcp.tool()
    async def later(text: str) -> str:
        assert isinstance(asyncio.current_task(), asyncio.Task)
        if sys.version_info < (3, 11):
            await asyncio.sleep(0)
            return text
        async with asyncio.timeout(5):
            async with asyncio.TaskGroup() as group:
                task = group.create_task(back(text))
        return task.result()

    @mcp.tool()
    def block() -> str:
        gate.wait(30)
        return threading.current_thread().name

    @mcp.tool()
    def unblock() -> str:
        gate.set()
        return "free"

    @mcp.tool()
    async def hang() -> str:
        try:
            await asyncio.Event().wait()
        finally:
            print("let go", file=sys.stderr, flush=True)
        return ""

    @mcp.tool()
    async def noisy(ctx: Context) -> str:
        print("this must not reach the client")
        os.write(1, b"nor this\\n")
        await ctx.info("said")
        for step in (1, 2):
            await ctx.report_progress(step, 2, "step")
        return ctx.request_id

    @mcp.tool()
    def who() -> str:
        return user.get()

    @mcp.tool()
    async def ask(ctx: Context) -> str:
        from pydantic import BaseModel

        class Form(BaseModel):
            name: str

        answer = await ctx.elicit("Who?", Form)
        roots = await ctx.session.list_roots()
        return f"{{answer.action}} {{getattr(answer, 'data', None)}} {{roots.roots[0].uri}}"

    @mcp.tool()
    def grow() -> str:
        mcp.add_tool(lambda: "new", name="grown")
        return "ok"

    @mcp.tool()
    def shrink() -> str:
        mcp._tool_manager._tools.pop("grown")
        mcp._tool_manager._tools["add"].description = "Changed."
        return "ok"

    @mcp.resource("note://one")
    def one() -> str:
        return "first"

    @mcp.resource("note://{{name}}/text")
    async def named(name: str, ctx: Context) -> str:
        return name + ctx.request_id

    @mcp.prompt()
    def greet(name: str, times: int = 1) -> str:
        return f"Hello {{name}} x{{times!r}}"

    mcp.run()
    '''
)
FAST, SLOW = SERVER.format(options=""), SERVER.format(options="fast_path=False")
BOTH = pytest.mark.parametrize("program", [FAST, SLOW], ids=["fast", "slow"])
