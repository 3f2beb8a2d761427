"""The server and the client program of the scripts in `tests/vectors/binding`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from typing import Any

from vector_script import Desk, Fault

from mcpbolt import ClientSession, McpError, types
from mcpbolt.server.fastmcp import Context, FastMCP
from mcpbolt.server.lowlevel import NotificationOptions
from mcpbolt.shared.memory import create_client_server_memory_streams

FORM = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}


def as_json(item: Any) -> Any:
    """A message as it goes out: what was not set is not there."""
    return item.message.model_dump(mode="json", by_alias=True, exclude_unset=True)


@asynccontextmanager
async def counted(desk: Desk) -> AsyncIterator[None]:
    """A handler that runs."""
    desk.open_handlers += 1
    try:
        yield
    finally:
        desk.open_handlers -= 1
        desk.moved.set()


class _Streams:
    """Both sides speak over memory streams; this is the script's end."""

    async def _open_streams(self) -> Any:
        self.stack = AsyncExitStack()
        ours, theirs = await self.stack.enter_async_context(create_client_server_memory_streams())
        self.read, self.write = ours
        return theirs

    async def take(self, text: str) -> None:
        await self.write.send(text)

    async def receive(self) -> Any:
        from anyio import ClosedResourceError, EndOfStream

        try:
            return as_json(await self.read.receive())
        except (EndOfStream, ClosedResourceError):
            return await asyncio.Event().wait()

    async def disconnect(self) -> None:
        await self.write.aclose()


class ServerSide(_Streams):
    """The server program, on the high-level server."""

    open_first = True

    def __init__(self, fast_path: bool) -> None:
        self.fast_path = fast_path
        self.gates: dict[str, asyncio.Event] = {}
        self.running: asyncio.Task[None] | None = None

    async def start(self, desk: Desk, vector: dict[str, Any], revision: str) -> None:
        self.desk = desk
        self.mcp: FastMCP[Any] = FastMCP(
            "vectors", "be kind", fast_path=self.fast_path, options=flat(vector.get("options", {}))
        )
        self.mcp._mcp_server.version = "1"
        _tools(self)
        _the_rest(self)
        server = self.mcp._mcp_server
        about = server.create_initialization_options(NotificationOptions(True, True, True))
        streams = await self._open_streams()
        self.running = asyncio.ensure_future(server.run(*streams, about))
        self.running.add_done_callback(lambda _: desk.note(closed=True))
        await asyncio.sleep(0)

    async def act(self, action: str, given: Any, whole: dict[str, Any]) -> None:
        if action == "release":
            if given not in self.gates:
                raise Fault(f"nobody holds {given}")
            self.gates.pop(given).set()
        elif action == "add_tool":
            self.mcp.add_tool(_echo, name=given)
        elif action == "remove_tool":
            self.mcp.remove_tool(given)
        elif action == "updated":
            self.mcp.resource_updated(given)
        elif action == "close":
            assert self.running is not None
            self.running.cancel()
        else:
            raise Fault(f"unknown action {action}")

    async def stop(self) -> None:
        if self.running is not None:
            self.running.cancel()
            await asyncio.gather(self.running, return_exceptions=True)
        await self.stack.aclose()


def flat(options: dict[str, Any]) -> dict[str, Any]:
    """Nested options by their whole names."""
    found: dict[str, Any] = {}
    for name, value in options.items():
        if isinstance(value, dict):
            found.update({f"{name}.{part}": one for part, one in value.items()})
        else:
            found[name] = value
    return found


async def _echo(text: str) -> str:
    return text


def _tools(side: ServerSide) -> None:
    mcp, desk = side.mcp, side.desk

    async def fail(message: str) -> str:
        raise ValueError(message)

    async def refuse(code: int, message: str, data: Any) -> str:
        raise AssertionError("answered below")

    async def hang() -> str:
        async with counted(desk):
            desk.note(started="hang")
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                desk.note(cancelled="hang")
                raise
        return ""

    async def hold(name: str) -> str:
        async with counted(desk):
            gate = side.gates[name] = asyncio.Event()
            desk.note(started=name)
            await gate.wait()
        return f"released {name}"

    async def asked(question: Awaitable[str]) -> str:
        try:
            return await question
        except McpError as error:
            return f"failed {error.kind}"

    async def elicit(ctx: Any, message: str) -> Any:
        return await ctx.session.elicit(message, FORM)

    async def ask(message: str, ctx: Context) -> str:
        async def question() -> str:
            answer = await elicit(ctx, message)
            return f"accept {answer.content['name']}" if answer.action == "accept" else answer.action

        async with counted(desk):
            return await asked(question())

    async def ask_both(ctx: Context) -> str:
        async with counted(desk):
            answer, found = await asyncio.gather(elicit(ctx, "who?"), ctx.session.list_roots())
            return f"{answer.action}, {len(found.roots)} roots"

    async def sample(prompt: str, ctx: Context) -> str:
        async def question() -> str:
            text = types.TextContent(type="text", text=prompt)
            message = types.SamplingMessage(role="user", content=text)
            return (await ctx.session.create_message([message], max_tokens=10)).content.text  # type: ignore[union-attr]

        async with counted(desk):
            return await asked(question())

    async def roots(ctx: Context) -> str:
        async def question() -> str:
            return f"{len((await ctx.session.list_roots()).roots)} roots"

        async with counted(desk):
            return await asked(question())

    async def progress(steps: int, ctx: Context) -> str:
        for step in range(1, steps + 1):
            await ctx.report_progress(step, steps, f"step {step}")
        return "done"

    async def log(level: str, data: Any, ctx: Context) -> str:
        await ctx.session.send_log_message(level, data, "vectors", related_request_id=ctx.request_id)  # type: ignore[arg-type]
        return "logged"

    async def flood(messages: int, bytes: int, ctx: Context) -> str:
        async with counted(desk):
            for step in range(1, messages + 1):
                await ctx.report_progress(step, messages, "x" * bytes)
        return "done"

    for tool in (_echo, fail, refuse, hang, hold, ask, ask_both, sample, roots, progress, log, flood):
        mcp.add_tool(tool, name=tool.__name__.strip("_"), structured_output=False)


def _the_rest(side: ServerSide) -> None:
    mcp, desk, server = side.mcp, side.desk, side.mcp._mcp_server
    inner: Callable[..., Any] = server.request_handlers[types.CallToolRequest]

    # Tools of the high-level server have no protocol errors: what they raise is a result.
    async def call(request: types.CallToolRequest) -> Any:
        if request.params.name == "refuse":
            raise McpError(types.ErrorData(**(request.params.arguments or {})))
        return await inner(request)

    server.request_handlers[types.CallToolRequest] = call

    @mcp.resource("note://one", name="one", mime_type="text/plain")
    def one() -> str:
        return "first note"

    @mcp.resource("note://{id}/page/{page}", name="page")
    def page(id: str, page: str) -> str:
        return f"{id}/{page}"

    @mcp.prompt()
    def greet(name: str) -> str:
        return f"Hello {name}"

    @mcp.completion()
    async def complete(ref: Any, argument: Any, context: Any) -> types.Completion | None:
        known = {"name": ["Ann", "Anna", "Bob"], "id": ["a1", "a2", "b1"]}.get(argument.name, [])
        return types.Completion(values=[value for value in known if value.startswith(argument.value)])

    @mcp.on_subscribe
    def subscribed(uri: str) -> None:
        desk.note(subscribed=uri)

    @mcp.on_unsubscribe
    async def unsubscribed(uri: str) -> None:
        desk.note(unsubscribed=uri)

    @server.subscribe_resource()
    async def subscribe(uri: Any) -> None:
        return None

    @server.unsubscribe_resource()
    async def unsubscribe(uri: Any) -> None:
        return None

    @server.set_logging_level()
    async def level(level: Any) -> None:
        return None

    async def changed(notification: Any) -> None:
        desk.note(notified=notification.method)

    server.notification_handlers[types.RootsListChangedNotification] = changed


class ClientSide(_Streams):
    """The client program, on `ClientSession`."""

    open_first = False

    def __init__(self) -> None:
        self.calls: dict[str, asyncio.Task[None]] = {}

    async def start(self, desk: Desk, vector: dict[str, Any], revision: str) -> None:
        self.desk = desk
        theirs = await self._open_streams()
        self.session = ClientSession(
            *theirs,
            elicitation_callback=self._elicit,
            sampling_callback=self._sample,
            list_roots_callback=self._roots,
            message_handler=self._heard,
            client_info=types.Implementation(name="vectors", version="1"),
        )
        # As the engine has it; the class itself leaves it to servers to refuse.
        options = {"cache": True, "strict": True, **flat(vector.get("options", {}))}
        self.session.configure(vector.get("protocol", revision), options)

    async def _elicit(self, context: Any, params: Any) -> types.ElicitResult:
        self.desk.note(asked="elicitation/create")
        async with counted(self.desk):
            if params.message == "fail":
                raise ValueError("failed")
            if params.message == "hang":
                try:
                    await asyncio.Event().wait()
                except asyncio.CancelledError:
                    self.desk.note(cancelled="elicitation/create")
                    raise
            if params.message in ("decline", "cancel"):
                return types.ElicitResult(action=params.message)
            return types.ElicitResult(action="accept", content={"name": params.message})

    async def _sample(self, context: Any, params: Any) -> types.CreateMessageResult:
        self.desk.note(asked="sampling/createMessage")
        text = types.TextContent(type="text", text=f"echo: {params.messages[0].content.text}")
        return types.CreateMessageResult(role="assistant", model="vectors", stopReason="endTurn", content=text)

    async def _roots(self, context: Any) -> types.ListRootsResult:
        self.desk.note(asked="roots/list")
        return types.ListRootsResult.model_validate({"roots": [{"uri": "file:///one", "name": "one"}]})

    async def _heard(self, message: Any) -> None:
        if isinstance(message, types.ServerNotification) and message.root.method != "notifications/progress":
            whole = message.model_dump(mode="json", by_alias=True, exclude_unset=True)
            self.desk.note(notified=whole["method"], params=whole.get("params"))

    async def act(self, action: str, given: Any, whole: dict[str, Any]) -> None:
        if action == "open":
            self._begin("open", self.session.initialize)
        elif action == "call":
            name, verb = whole["as"], self._verb(given, whole)
            self._begin(name, verb)
        elif action == "cancel":
            self.calls[given].cancel()
        elif action == "notify":
            await self.session.send_roots_list_changed()
        elif action == "close":
            await self.session.close()
        else:
            raise Fault(f"unknown action {action}")
        # What begins, begins in this order.
        await asyncio.sleep(0)

    def _begin(self, name: str, verb: Callable[[], Awaitable[Any]]) -> None:
        async def wait() -> None:
            try:
                result = await verb()
            except McpError as error:
                failure = {"kind": error.kind, "code": error.error.code, "message": error.error.message}
                self.desk.note(failed=name, **failure, data=error.error.data)
            except asyncio.CancelledError:
                self.desk.note(failed=name, kind="cancelled")
            else:
                told = result.model_dump(mode="json", by_alias=True, exclude_unset=True)
                self.desk.note(answered=name, result=told)
                if name == "open":
                    self.calls["closed"] = asyncio.ensure_future(self._watch())

        self.calls[name] = asyncio.ensure_future(wait())

    async def _watch(self) -> None:
        await self.session.wait_closed()
        failure = self.session._connection.failure  # type: ignore[union-attr]
        self.desk.note(closed=True, kind=None if failure is None else failure[0])

    def _verb(self, method: str, whole: dict[str, Any]) -> Callable[[], Awaitable[Any]]:
        session, params = self.session, whole.get("params", {})
        page = {"params": types.PaginatedRequestParams(**params)} if params else {}
        if method == "tools/call":
            # Else the session asks for the list first, to check what comes.
            session.saw_tools([types.Tool(name=params["name"], inputSchema={})])
        limit = timedelta(seconds=whole["timeout"]) if "timeout" in whole else None

        async def progress(done: float, total: float | None, message: str | None) -> None:
            report = {"progress": done, "total": total, "message": message}
            self.desk.note(progress=whole["as"], params={name: value for name, value in report.items() if value is not None})

        verbs: dict[str, Callable[[], Awaitable[Any]]] = {
            "tools/call": lambda: session.call_tool(
                params["name"], params["arguments"], limit, progress if whole.get("progress") else None
            ),
            "tools/list": lambda: session.list_tools(**page),
            "resources/list": lambda: session.list_resources(**page),
            "prompts/list": lambda: session.list_prompts(**page),
            "resources/read": lambda: session.read_resource(params["uri"]),
            "resources/subscribe": lambda: session.subscribe_resource(params["uri"]),
            "resources/unsubscribe": lambda: session.unsubscribe_resource(params["uri"]),
            "prompts/get": lambda: session.get_prompt(params["name"], params.get("arguments")),
            "completion/complete": lambda: session.complete(
                types.ResourceTemplateReference(**params["ref"])
                if "uri" in params["ref"]
                else types.PromptReference(**params["ref"]),
                params["argument"],
                params.get("context", {}).get("arguments"),
            ),
        }
        return verbs[method]

    async def stop(self) -> None:
        await self.session.close()
        for call in self.calls.values():
            call.cancel()
        await asyncio.gather(*self.calls.values(), return_exceptions=True)
        await self.stack.aclose()


