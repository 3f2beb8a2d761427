"""A low-level server of this package with tasks of 2025-11-25, on stdio."""

import warnings

warnings.simplefilter("ignore")
import anyio  # noqa: E402

from mcpbolt import types  # noqa: E402
from mcpbolt.server.lowlevel import Server  # noqa: E402
from mcpbolt.server.stdio import stdio_server  # noqa: E402

FORM = {"type": "object", "properties": {"ok": {"type": "boolean"}}}


def make():
    server = Server("tasks")
    server.experimental.enable_tasks()

    @server.list_tools()
    async def list_tools():
        execution = types.ToolExecution(taskSupport="optional")
        return [
            types.Tool(name=name, inputSchema={"type": "object"}, execution=execution)
            for name in ("work", "ask", "think", "fail", "long")
        ]

    @server.call_tool()
    async def call_tool(name, arguments):
        async def work(task):
            await task.update_status("at it")
            if name == "long":
                await anyio.sleep_forever()
            if name == "fail":
                raise RuntimeError("no luck")
            said = f"did {arguments.get('what')}"
            if name == "ask":
                answer = await task.elicit("Sure?", FORM)
                said = f"{answer.action} {answer.content}"
            if name == "think":
                content = types.TextContent(type="text", text="?")
                message = types.SamplingMessage(role="user", content=content)
                answer = await task.create_message([message], max_tokens=9)
                said = answer.content.text
            return types.CallToolResult(content=[types.TextContent(type="text", text=said)])

        if not server.request_context.experimental.is_task:
            return [types.TextContent(type="text", text="at once")]
        return await server.request_context.experimental.run_task(work)

    return server


async def main():
    server = make()
    async with stdio_server() as streams:
        await server.run(*streams, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(main)
