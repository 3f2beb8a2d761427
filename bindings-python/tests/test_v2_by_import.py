"""A program for 2.x that imports `mcpbolt.v2`, without the alias: its server takes and gives the models
of 2.x. Where there is an interpreter with the official package 2.3.0, it answers the same.
"""

from __future__ import annotations

from typing import Any

import pytest
from peer import MODERN
from v2_by_import import httpx2_paths, official, ours, with_httpx2

TOOLS = """
class M(BaseModel):
    a: int

def text(words):
    return t.TextContent(type="text", text=words)

mcp = MCPServer("tools")

@mcp.tool()
def err() -> t.CallToolResult: return t.CallToolResult(content=[text("bad")], is_error=True)
@mcp.tool()
def untyped(): return t.CallToolResult(content=[text("u")], is_error=True)
@mcp.tool()
def block() -> t.TextContent: return text("b")
@mcp.tool()
async def blocks() -> list[t.ContentBlock]:
    return [text("b1"), t.ImageContent(type="image", data="aGk=", mime_type="image/png")]
@mcp.tool()
def mixed(): return [text("b1"), "s", Image(data=b"x"), Audio(data=b"y")]
@mcp.tool()
def link() -> list[t.ResourceLink]: return [t.ResourceLink(type="resource_link", name="n", uri="a://b")]
@mcp.tool()
def fits() -> Annotated[t.CallToolResult, M]: return t.CallToolResult(content=[text("x")], structured_content={"a": 1})
@mcp.tool()
def failed() -> Annotated[t.CallToolResult, M]: return t.CallToolResult(content=[text("x")], is_error=True)
@mcp.tool()
def unfit() -> Annotated[t.CallToolResult, M]: return t.CallToolResult(content=[text("x")], structured_content={"b": 1})
@mcp.tool()
def model() -> M: return M(a=2)
@mcp.tool()
def number() -> int: return 3

async def ask(client, name):
    found = await client.call_tool(name, {})
    return found.is_error, [shown(block) for block in found.content], found.structured_content

async def main():
    async with Client(mcp) as client:
        tools = (await client.list_tools()).tools
    names = [tool.name for tool in tools]
    return {
        "schemas": sorted(tool.name for tool in tools if tool.output_schema),
        "auto": await each(mcp, ask, names),
        "legacy": await each(mcp, ask, names, mode="legacy"),
    }

run(main)
"""

STRUCTURES = """
mcp = MCPServer("structures")

class Numbers(RootModel[list[int]]): pass

@mcp.tool()
def numbers() -> Numbers: return Numbers([1, 2])
@mcp.tool()
async def later() -> Numbers: return Numbers([3])
@mcp.tool()
def whole() -> Annotated[t.CallToolResult, Numbers]: return t.CallToolResult(content=[], structured_content=[4])

async def ask(client, name):
    found = await client.call_tool(name, {})
    return found.is_error, [shown(block) for block in found.content], found.structured_content

async def main():
    return [await each(mcp, ask, ("numbers", "later", "whole")), (await mcp.call_tool("numbers", {})).structured_content]

run(main)
"""

PARTS = """
class Manual(MCPServer):
    async def call_tool(self, name, arguments, *more):
        return [t.TextContent(type="text", text="a"), {"type": "image", "data": "aGk=", "mime_type": "image/png"}], [5]

async def main():
    mcp = Manual("parts")
    mcp.add_tool(lambda: "b", name="b")
    async with Client(mcp) as client:
        found = await client.call_tool("b", {})
    return found.is_error, [shown(block) for block in found.content], found.structured_content

run(main)
"""

PROMPTS = """
mcp = MCPServer("prompts")
text = t.TextContent(type="text", text="hi")

@mcp.prompt()
def said(): return [UserMessage(text), AssistantMessage("yo")]
@mcp.prompt()
def by_name(): return [UserMessage(content=Image(data=b"x"))]
@mcp.prompt()
def embedded():
    return t.EmbeddedResource(type="resource", resource=t.TextResourceContents(uri="a://b", text="q"))
@mcp.prompt()
def plain(): return ["one", {"role": "assistant", "content": {"type": "text", "text": "two"}}]
@mcp.prompt()
async def about(topic: str): return f"Explain {topic}"

async def ask(client, name):
    found = await client.get_prompt(name, {"topic": "x"} if name == "about" else None)
    return [(one.role, shown(one.content)) for one in found.messages]

async def main():
    names = ("said", "by_name", "embedded", "plain", "about")
    return await each(mcp, ask, names), type(UserMessage("x").content) is t.TextContent

run(main)
"""

COMPLETION = """
mcp = MCPServer("completion")

@mcp.resource("n://{x}")
def note(x: str) -> str: return x

@mcp.completion()
async def complete(ref, argument, context):
    if argument.value == "none":
        return None
    is_ours = isinstance(ref, t.ResourceTemplateReference) and isinstance(argument, t.CompletionArgument)
    values = [str(is_ours), str(context and context.arguments)]
    return {"values": values} if argument.value == "dict" else t.Completion(values=values, has_more=False)

async def main():
    reference, found = t.ResourceTemplateReference(type="ref/resource", uri="n://{x}"), []
    for mode in ("auto", "legacy"):
        async with Client(mcp, mode=mode) as client:
            for value in ("model", "none"):
                done = await client.complete(reference, {"name": "x", "value": value}, {"y": "z"})
                found.append([done.completion.values, done.completion.has_more])
    return found

run(main)
"""

RESOURCES = """
mcp = MCPServer("resources")
icons, notes = [t.Icon(src="a.png", mime_type="image/png")], t.Annotations(priority=0.5)

@mcp.resource("https://example.com", icons=icons, annotations=notes, mime_type="application/x_foo")
def one() -> str: return "one"
@mcp.resource("note://{name}", icons=icons, annotations=notes)
def two(name: str) -> str: return name

mcp.add_resource(TextResource(uri="HTTP://Example.com/a/../b", text="three", mime_type="application/x_foo"))

async def main():
    async with Client(mcp) as client:
        listed = (await client.list_resources()).resources
        [template] = (await client.list_resource_templates()).resource_templates
        read = [(await client.read_resource(one.uri)).contents[0] for one in listed]
    return {
        "listed": [[one.uri, one.mime_type, one.annotations and one.annotations.priority] for one in listed],
        "template": [template.icons[0].src, template.annotations.priority],
        "read": [[one.uri, one.text, one.mime_type] for one in read],
        "url": raised(lambda: TextResource(uri="https://example.com", text="t").uri),
        "more": raised(lambda: TextResource(uri="a://b", text="t", mimetype="x")),
        "icons": raised(lambda: FunctionResource(uri="a://b", fn=one, icons=icons).icons[0].mime_type),
        "default": [HttpResource(uri="a://b", url="http://x").mime_type, FileResource(uri="a://b", path="/x").encoding],
        "function": FunctionResource.from_function(one, "https://example.com").uri,
        "no_url": raised(lambda: TextResource(uri="not a url", text="t").name),
    }

run(main)
"""

OWN_CALLS = """
class Overriding(MCPServer):
    async def list_tools(self): return await super().list_tools()
    async def list_prompts(self): return await super().list_prompts()
    async def list_resources(self): return await super().list_resources()
    async def list_resource_templates(self): return await super().list_resource_templates()
    async def call_tool(self, name, arguments, *more): return await super().call_tool(name, arguments, *more)

async def answers(kind):
    mcp = kind("calls")

    @mcp.tool()
    def add(a: int, b: int) -> int: return a + b
    @mcp.resource("note://one")
    def note() -> str: return "n"
    @mcp.resource("note://{name}/x")
    def named(name: str) -> str: return name
    @mcp.prompt()
    def ask(topic: str) -> str: return topic

    result, prompt = await mcp.call_tool("add", {"a": 1, "b": 2}), await mcp.get_prompt("ask", {"topic": "z"})
    async with Client(mcp) as client:
        lists = [
            (await client.list_tools()).tools[0].name,
            (await client.list_resources()).resources[0].uri,
            (await client.list_resource_templates()).resource_templates[0].uri_template,
            (await client.list_prompts()).prompts[0].name,
            (await client.call_tool("add", {"a": 1, "b": 2})).structured_content,
        ]
    return [
        isinstance((await mcp.list_tools())[0], t.Tool),
        isinstance((await mcp.list_resources())[0], t.Resource),
        isinstance((await mcp.list_resource_templates())[0], t.ResourceTemplate),
        isinstance((await mcp.list_prompts())[0], t.Prompt),
        isinstance(result, t.CallToolResult) and result.content == [t.TextContent(type="text", text="3")],
        isinstance(prompt, t.GetPromptResult) and isinstance(prompt.messages[0].content, t.TextContent),
        type(Image(data=b"x").to_image_content()) is t.ImageContent,
        type(Audio(data=b"x").to_audio_content()) is t.AudioContent,
        lists,
    ]

async def main():
    return [await answers(kind) for kind in (MCPServer, Overriding)]

run(main)
"""

ERRORS = """
mcp = MCPServer("errors")

@mcp.tool()
async def slow() -> str: await anyio.Event().wait()

async def main():
    error = MCPError(1, "m", "d")
    made = MCPError.from_error_data(t.ErrorData(code=2, message="n"))
    async with Client(mcp, mode="legacy") as client:
        try:
            await client.call_tool("slow", {}, read_timeout_seconds=0.2)
        except MCPError as late:
            return [error.args, str(error), repr(error), made.args, late.code, late.args, str(late)]

run(main)
"""

# The program, and what it prints.
ROWS: dict[str, tuple[str, Any]] = {
    "tools": (TOOLS, None),
    "structures": (STRUCTURES, None),
    "prompts": (PROMPTS, None),
    "completion": (COMPLETION, [[["True", "{'y': 'z'}"], False], [[], None]] * 2),
    "resources": (RESOURCES, None),
    "own calls": (OWN_CALLS, [[*[True] * 8, ["add", "note://one", "note://{name}/x", "ask", {"result": 3}]]] * 2),
    "errors": (ERRORS, None),
}


@pytest.mark.parametrize(("program", "printed"), ROWS.values(), ids=ROWS)
@pytest.mark.skipif(not MODERN, reason="MCPBOLT_TEST_PYTHON_MCP2 names no interpreter")
def test_a_program_for_2_does_the_same_by_import(program: str, printed: Any) -> None:
    found = ours(program)
    assert found == official(program)
    assert printed is None or found == printed


def test_results_of_tools_are_those_of_the_program() -> None:
    found = ours(TOOLS)
    assert found["schemas"] == ["failed", "fits", "model", "number", "unfit"]
    assert found["auto"] == found["legacy"]
    assert found["auto"]["err"] == [True, ["bad"], None]
    assert found["auto"]["mixed"] == [False, ["b1", "s", "image", "audio"], None]
    assert found["auto"]["failed"] == [True, ["x"], None]
    assert found["auto"]["unfit"][0] is True


def test_structured_content_is_any_json_value() -> None:
    found, direct = ours(STRUCTURES)
    assert found["numbers"] == [False, ["[\n  1,\n  2\n]"], [1, 2]] and direct == [1, 2]


def test_a_server_may_return_the_parts_of_a_result() -> None:
    assert ours(PARTS) == [False, ["a", "image"], [5]]


HTTP = """
import httpx2
from {top}.client.auth import OAuthClientProvider
from {top}.shared._httpx_utils import create_mcp_http_client
from {top}.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthMetadata

def metadata(**more):
    return OAuthClientMetadata(redirect_uris=["http://localhost:1/cb"], **more)

async def main():
    provider = OAuthClientProvider("https://h/mcp", metadata(), None, None, None, "https://h/client.json")
    client, at = httpx2.AsyncClient(auth=provider), "https://h"
    server = OAuthMetadata(issuer=at, authorization_endpoint=at, token_endpoint=at, authorization_grant_profiles_supported=["x"])
    return [
        isinstance(provider, httpx2.Auth),
        type(client).__module__,
        type(create_mcp_http_client()).__module__,
        metadata(application_type="web").application_type,
        metadata().application_type,
        str(server.issuer),
        server.authorization_grant_profiles_supported,
        OAuthClientInformationFull(client_id="x", client_uri="").model_dump(exclude_none=True)["client_id"],
        raised(lambda: OAuthClientInformationFull(redirect_uris=None)),
    ]

run(main)
"""


@with_httpx2
def test_http_clients_and_documents_are_those_of_2() -> None:
    assert ours(HTTP, httpx2_paths()) == official(HTTP)
