"""A low-level server of the official package 1.30 with tasks."""

import warnings

warnings.simplefilter("ignore")
import anyio  # noqa: E402
from mcp import types  # noqa: E402
from mcp.server.lowlevel import Server  # noqa: E402
from mcp.server.stdio import stdio_server  # noqa: E402

server = Server("tasks")
server.experimental.enable_tasks()


@server.list_tools()
async def list_tools():
    execution = types.ToolExecution(taskSupport="required")
    return [types.Tool(name="work", inputSchema={"type": "object"}, execution=execution)]


@server.call_tool()
async def call_tool(name, arguments):
    context = server.request_context

    async def work(task):
        if arguments.get("long"):
            await anyio.sleep_forever()
        await task.update_status("at it")
        text = types.TextContent(type="text", text=f"did {arguments['what']}")
        return types.CallToolResult(content=[text])

    return await context.experimental.run_task(work)


async def main():
    async with stdio_server() as streams:
        await server.run(*streams, server.create_initialization_options())


anyio.run(main)
