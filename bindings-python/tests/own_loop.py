"""A low-level server with a loop of its own over the messages of a session."""

from __future__ import annotations

from contextlib import AsyncExitStack
from datetime import datetime, timezone
from typing import Any

import anyio
from mcpbolt import McpError, types
from mcpbolt.server.lowlevel import Server
from mcpbolt.server.session import ServerSession

NAMES = ("who", "fail", "ask", "hang", "tell", "later")


class Watched(ServerSession):
    """A session that sees requests first."""

    def __init__(self, *arguments: Any, seen: list[str], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.seen = seen

    async def _received_request(self, responder: Any) -> None:
        self.seen.append(responder.request.root.method)
        respond = responder.respond

        async def watched(response: Any) -> None:
            self.seen.append(type(response.root).__name__)
            await respond(response)

        if responder.request.root.method == "initialize":
            responder.respond = watched
        await super()._received_request(responder)


class Own(Server[Any, Any]):
    """A server with a loop of its own."""

    def __init__(self, name: str, **options: Any) -> None:
        super().__init__(name, **options)
        self.seen: list[str] = []
        self.hangs, self.let_go = anyio.Event(), anyio.Event()

    async def run(
        self, read_stream: Any, write_stream: Any, initialization_options: Any,
        raise_exceptions: bool = False, stateless: bool = False,
    ) -> None:
        async with AsyncExitStack() as stack:
            lifespan = await stack.enter_async_context(self.lifespan(self))
            session = await stack.enter_async_context(
                Watched(read_stream, write_stream, initialization_options, stateless=stateless, seen=self.seen)
            )
            async with anyio.create_task_group() as tasks:
                async for message in session.incoming_messages:
                    tasks.start_soon(self._handle_message, message, session, lifespan, raise_exceptions)


def make() -> Own:
    server = Own("own")

    @server.list_tools()
    async def list_tools() -> list[types.Tool]:
        return [types.Tool(name=name, inputSchema={"type": "object"}) for name in NAMES]

    @server.call_tool()
    async def call_tool(name: str, arguments: dict[str, Any]) -> Any:
        context = server.request_context
        if name == "later":
            now = datetime.now(timezone.utc)
            task = types.Task(taskId="t-1", status="working", createdAt=now, lastUpdatedAt=now, ttl=60_000)
            return types.CreateTaskResult(task=task)
        if name == "fail":
            raise ValueError("it failed")
        if name == "hang":
            server.hangs.set()
            try:
                await anyio.sleep_forever()
            finally:
                server.let_go.set()
        if name == "tell":
            token = context.meta.progressToken if context.meta else None
            await context.session.send_log_message("info", "one", related_request_id=context.request_id)
            await context.session.send_progress_notification(token or 0, 1, 2)
            await context.session.send_tool_list_changed()
            return []
        if name == "ask":
            empty: dict[str, Any] = {"type": "object", "properties": {}}
            answer = await context.session.elicit("?", empty, context.request_id)
            return [types.TextContent(type="text", text=answer.action)]
        as_task = context.experimental
        words = f"{type(context.session).__name__} {as_task.is_task} {as_task.client_supports_tasks}"
        return [types.TextContent(type="text", text=words)]

    @server.list_prompts()
    async def list_prompts() -> list[types.Prompt]:
        raise McpError(-32099, "not today", {"tomorrow": True})

    @server.list_resources()
    async def list_resources() -> list[types.Resource]:
        raise KeyError("nobody foresaw")

    return server
