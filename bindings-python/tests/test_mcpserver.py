"""A server with the semantics of 2.x, over both eras, with our own client."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Annotated, Any

import pytest
from eras import ERAS, Name, with_client
from peer import text

from typing_extensions import NotRequired, TypedDict

from mcpbolt import Client, MCPError, types
from mcpbolt.server import MCPServer
from mcpbolt.server.mcpserver import Context, Elicit, ElicitationResult, Image, ListRoots, Resolve, Sample
from mcpbolt.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError, ToolError


def failing() -> MCPServer[Any]:
    server = MCPServer("x", version="3", title="T", description="D")

    @server.tool()
    def refuse() -> None:
        raise MCPError(code=-5, message="no", data={"why": 1})

    @server.tool()
    def sorry() -> None:
        raise ToolError("try later")

    @server.tool()
    async def crash() -> None:
        raise KeyError("a secret")

    @server.tool()
    def add(a: int) -> int:
        return a

    @server.resource("note://bad")
    def bad() -> str:
        raise KeyError("a secret")

    @server.resource("note://gone/{name}")
    def gone(name: str) -> str:
        if name == "busy":
            raise ResourceError("come back later")
        raise ResourceNotFoundError(f"{name} is gone")

    @server.prompt()
    def broken() -> str:
        raise KeyError("a secret")

    @server.completion()
    async def complete(ref: Any, argument: Any, context: Any) -> Any:
        raise KeyError("a secret")

    return server


@ERAS
@pytest.mark.parametrize("fast", [True, False])
def test_an_exception_is_what_2_x_makes_of_it(mode: str, fast: bool) -> None:
    server = failing()
    server._mcp_server.fast_path = fast

    async def test(opened: Client) -> None:
        assert (opened.server_info.title, opened.server_info.description) == ("T", "D")
        with pytest.raises(MCPError) as refused:
            await opened.call_tool("refuse")
        assert (refused.value.code, refused.value.message, refused.value.data) == (-5, "no", {"why": 1})
        for name, words in (("sorry", "Error executing tool sorry: try later"), ("crash", "Error executing tool crash")):
            result = await opened.call_tool(name)
            assert (result.isError, text(result)) == (True, words)
        wrong = await opened.call_tool("add", {"a": "x"})
        assert wrong.isError and text(wrong).startswith("Error executing tool add: 1 validation error for addArguments")
        with pytest.raises(MCPError) as unknown:
            await opened.call_tool("nope")
        assert unknown.value.code == -32602

    with_client(mode, server, test)


@ERAS
def test_a_resource_says_only_what_it_was_meant_to(mode: str) -> None:
    async def test(opened: Client) -> None:
        seen = {}
        for uri in ("note://bad", "note://gone/busy", "note://gone/one"):
            with pytest.raises(MCPError) as failed:
                await opened.read_resource(uri)
            seen[uri] = (failed.value.code, failed.value.data)
            assert "secret" not in failed.value.message
            if uri.endswith("busy"):
                assert failed.value.message == "come back later"
        missing = -32002 if mode == "legacy" else -32602
        assert seen == {
            "note://bad": (-32603, {"uri": "note://bad"}),
            "note://gone/busy": (-32603, {"uri": "note://gone/busy"}),
            "note://gone/one": (missing, {"uri": "note://gone/one"}),
        }
        with pytest.raises(MCPError) as failed:
            await opened.get_prompt("broken")
        assert failed.value.code == -32603 and "secret" not in failed.value.message
        reference = types.PromptReference(type="ref/prompt", name="broken")
        with pytest.raises(MCPError, match="^Error completing argument style$") as failed:
            await opened.complete(reference, {"name": "style", "value": "b"})
        assert failed.value.code == -32603

    with_client(mode, failing(), test)


def test_what_a_tool_hides_from_clients_is_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    async def test(opened: Client) -> None:
        await opened.call_tool("crash")
        await opened.call_tool("sorry")

    with caplog.at_level(logging.INFO, "mcp.server.mcpserver.server"):
        with_client("legacy", failing(), test)
    levels = {record.levelname: record.getMessage() for record in caplog.records if "mcpserver" in record.name}
    assert "crash" in levels["ERROR"] and "try later" in levels["INFO"]


@ERAS
def test_a_context_knows_its_request(mode: str) -> None:
    server = MCPServer("x")
    seen: list[Any] = []

    @server.tool()
    async def look(ctx: Context) -> str:
        seen.append((ctx.protocol_version, ctx.headers, ctx.input_responses, ctx.request_state))
        assert ctx.client_capabilities is not None and ctx.client_capabilities.roots is not None
        assert ctx.mcp_server is server and ctx.request_context.method == "tools/call"
        assert ctx.request_context.params == {"name": "look", "arguments": {}} | (
            {"_meta": ctx.request_context.meta} if ctx.request_context.meta else {}
        )
        assert ctx.session.client_info is not None
        await ctx.report_progress(1, 2, "half")
        return str(ctx.request_context.request_id)

    told: list[Any] = []

    async def progress(*report: Any) -> None:
        told.append(report)

    async def test(opened: Client) -> None:
        assert not (await opened.call_tool("look", {}, progress_callback=progress)).isError
        assert told == [(1, 2, "half")]
        assert seen == [("2025-11-25" if mode == "legacy" else mode, None, None, None)]

    with_client(mode, server, test)


@ERAS
@pytest.mark.parametrize("sync", [True, False])
def test_a_function_may_return_questions(mode: str, sync: bool) -> None:
    server = MCPServer("x")
    question = types.ElicitRequest(params=types.ElicitRequestFormParams(message="Who?", requestedSchema=Name.model_json_schema()))

    def ask(ctx: Context) -> str | types.InputRequiredResult:
        answers = ctx.input_responses
        if answers is None:
            return types.InputRequiredResult(inputRequests={"who": question.model_dump(by_alias=True)}, requestState="s")
        return f"{answers['who'].action} {answers['who'].content['name']} {ctx.request_state}"

    if sync:
        server.tool()(ask)
    else:

        @server.tool("ask")
        async def _(ctx: Context) -> str | types.InputRequiredResult:
            return ask(ctx)

    @server.prompt()
    def greet(ctx: Context) -> Any:
        return ask(ctx)

    @server.resource("note://{name}")
    def note(name: str, ctx: Context) -> Any:
        return ask(ctx)

    async def test(opened: Client) -> None:
        assert text(await opened.call_tool("ask")) == "accept Ada s"
        assert (await opened.get_prompt("greet")).messages[0].content.text == "accept Ada s"
        assert (await opened.read_resource("note://a")).contents[0].text == "accept Ada s"

    with_client(mode, server, test)


RUNS: list[str] = []


def who(title: str) -> Elicit[Name]:
    RUNS.append("who")
    return Elicit(f"Who is {title}?", Name)


async def greeting(name: Annotated[Name, Resolve(who)], ctx: Context) -> str:
    RUNS.append("greeting")
    return f"Hello {name.name} {ctx.protocol_version is not None}"


def roots() -> ListRoots:
    return ListRoots()


def words(title: str) -> Sample:
    content = types.TextContent(type="text", text=title)
    return Sample([types.SamplingMessage(role="user", content=content)], max_tokens=5)


def no() -> Elicit[Name]:
    return Elicit("please refuse", Name)


def stranger(other: int) -> int:
    return other


def circle(a: Any) -> int:
    return a


circle.__annotations__["a"] = Annotated[int, Resolve(circle)]


def whole() -> MCPServer[Any]:
    server = MCPServer("x")

    @server.tool()
    def everything(
        title: str,
        name: Annotated[Name, Resolve(who)],
        hello: Annotated[str, Resolve(greeting)],
        found: Annotated[types.ListRootsResult, Resolve(roots)],
        said: Annotated[types.CreateMessageResult, Resolve(words)],
        refused: Annotated[ElicitationResult[Name], Resolve(no)],
    ) -> str:
        """Needs a lot."""
        return f"{title} {name.name} {hello} {found.roots[0].uri} {said.content.text} {refused.action}"

    @server.tool()
    async def stubborn(name: Annotated[Name, Resolve(no)]) -> str:
        return name.name

    return server


@ERAS
def test_resolved_parameters_are_asked_for_and_hidden_from_the_schema(mode: str) -> None:
    server = whole()
    RUNS.clear()

    async def test(opened: Client) -> None:
        tools = (await opened.list_tools()).tools
        assert list(tools[0].inputSchema["properties"]) == ["title"] and tools[0].description == "Needs a lot."
        assert tools[1].inputSchema["properties"] == {}
        result = await opened.call_tool("everything", {"title": "Mx"})
        assert text(result) == "Mx Ada Hello Ada True file:///project to Mx decline"
        assert RUNS == ["who", "greeting"]
        declined = await opened.call_tool("stubborn")
        assert declined.isError
        assert text(declined) == (
            "Error executing tool stubborn: Resolver for parameter 'name' could not resolve: elicitation was decline"
        )

    with_client(mode, server, test)


@ERAS
def test_a_client_that_cannot_answer_is_told_what_is_missing(mode: str) -> None:
    async def test(opened: Client) -> None:
        with pytest.raises(MCPError) as refused:
            await opened.call_tool("stubborn")
        # The legacy era has no such code.
        assert refused.value.code == (-32600 if mode == "legacy" else -32021)
        assert refused.value.data == {"requiredCapabilities": {"elicitation": {"form": {}}}}

    with_client(mode, whole(), test, elicitation_callback=None)


def test_resolvers_that_cannot_work_are_refused_when_they_are_registered() -> None:
    from mcpbolt.server.mcpserver.exceptions import InvalidSignature

    server = MCPServer("x")

    with pytest.raises(InvalidSignature, match="'other' cannot be resolved"):

        @server.tool()
        def one(a: Annotated[int, Resolve(stranger)]) -> int:
            return a

    with pytest.raises(InvalidSignature, match="inside a union"):

        @server.tool()
        def two(a: Annotated[int, Resolve(stranger)] | None) -> int:
            return 1

    with pytest.raises(InvalidSignature, match="cyclic"):

        @server.tool()
        def three(a: Annotated[int, Resolve(circle)]) -> int:
            return a


def test_a_file_is_read_in_its_encoding(tmp_path: Path) -> None:
    from mcpbolt.server.mcpserver.resources import FileResource

    (tmp_path / "marked").write_bytes("é".encode("utf-8-sig"))
    (tmp_path / "old").write_bytes("é".encode("latin-1"))

    def content(name: str, **more: Any) -> Any:
        return asyncio.run(FileResource(uri=f"file:///{name}", path=tmp_path / name, **more).read())  # type: ignore[arg-type]

    assert content("marked") == content("marked", mime_type="application/ld+json") == "é"
    assert content("marked", encoding="utf-8") == "\ufeffé"
    assert content("old", mime_type="text/plain; charset=latin-1") == "é"
    assert content("old", encoding=None) == content("old", mime_type="image/png") == b"\xe9"
    for wrong in ({"encoding": "rot13"}, {"encoding": "nothing"}, {"path": Path("old")}):
        with pytest.raises(ValueError):
            FileResource(**{"uri": "file:///old", "path": tmp_path / "old", **wrong})  # type: ignore[arg-type]


def test_a_prompt_can_be_removed() -> None:
    server = MCPServer("x")

    @server.prompt()
    def hello() -> str:
        return "hello"

    server.remove_prompt("hello")
    with pytest.raises(ValueError, match="Unknown prompt: hello"):
        server.remove_prompt("hello")
    assert asyncio.run(server.list_prompts()) == []


class Person(TypedDict):
    name: str
    age: NotRequired[int]


class Unknown:
    """Pydantic has no schema for it."""

    def __str__(self) -> str:
        return "?"


@ERAS
def test_only_data_has_structure(mode: str) -> None:
    server = MCPServer("x")

    @server.tool()
    def pictures() -> list[str | Image]:
        return ["one", Image(data=b"x", format="png")]

    @server.tool()
    def block() -> Annotated[types.TextContent, "words"]:
        return types.TextContent(type="text", text="one")

    @server.tool()
    def unknown() -> dict[str, Unknown]:
        return {"it": Unknown()}

    @server.tool(structured_output=True)
    def demanded() -> types.TextContent:
        return types.TextContent(type="text", text="one")

    async def test(opened: Client) -> None:
        schemas = {tool.name: tool.outputSchema for tool in (await opened.list_tools()).tools}
        assert [name for name, schema in schemas.items() if schema] == ["demanded"]
        result = await opened.call_tool("pictures")
        assert [part.type for part in result.content] == ["text", "image"] and result.structuredContent is None
        assert (await opened.call_tool("block")).structuredContent is None
        assert text(await opened.call_tool("unknown")) == '{\n  "it": "?"\n}'
        assert ((await opened.call_tool("demanded")).structuredContent or {})["text"] == "one"

    with_client(mode, server, test)


@ERAS
def test_a_key_that_was_left_out_is_not_null(mode: str) -> None:
    server = MCPServer("x")

    @server.tool()
    def person(age: int = 0) -> Person:
        return {"name": "Ada", "age": age} if age else {"name": "Ada"}

    async def test(opened: Client) -> None:
        schema = (await opened.list_tools()).tools[0].outputSchema or {}
        assert schema["properties"]["age"] == {"title": "Age", "type": "integer"}
        assert schema["required"] == ["name"]
        assert (await opened.call_tool("person")).structuredContent == {"name": "Ada"}
        assert (await opened.call_tool("person", {"age": 7})).structuredContent == {"name": "Ada", "age": 7}

    with_client(mode, server, test)
