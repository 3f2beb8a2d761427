"""The examples in docstrings: each is run, and what it registers is called as a client would.

An example that imports what it needs is a program. One that begins with a decorator is about a
server: it gets one of the kind that its class belongs to, and the names below. What is left is
part of a program, which is compiled.
"""

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

import mcpbolt
from mcpbolt.types import CreateMessageResult, ElicitResult, ListRootsResult, Root, TextContent

PACKAGE = Path(mcpbolt.__file__).parent
FENCE = re.compile(r"^( *)```python\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
# What an example that begins with a decorator may use without importing it.
COMMON = """
import logging
import sys
from pydantic import BaseModel
from starlette.responses import JSONResponse
from mcpbolt import types
from mcpbolt.types import Completion
from mcpbolt.server.lowlevel.helper_types import ReadResourceContents
"""
SERVERS = {
    "fastmcp": "from mcpbolt import Context, FastMCP\nmcp = FastMCP('example')\n",
    "mcpserver": "from mcpbolt import MCPServer\nfrom mcpbolt.server.mcpserver import Context, ResourceSecurity\n"
    "mcp = server = MCPServer('example')\n",
    "lowlevel": "from mcpbolt.server.lowlevel import Server\nserver = Server('example')\n",
}
PATHS = (
    ("server/fastmcp/", ["fastmcp"]),
    ("server/mcpserver/", ["mcpserver"]),
    ("server/lowlevel/", ["lowlevel"]),
    ("server/_resource_security.py", ["mcpserver"]),
    ("_common/", ["fastmcp", "mcpserver"]),
)
ONE_SERVER = "server/lowlevel/_decorators.py"
# What tools are called with, by the type of the argument.
VALUES = {"integer": 3, "number": 1.5, "string": "abc", "boolean": True, "array": ["abc"], "object": {}}
# Deprecated; and what only a client that declares tasks can call, which the guide's tests do.
WITHOUT_EXAMPLE = {"log", "begin_task"}
# What every decorator and every function of a context has.
WITH_EXAMPLE = {
    "_common/tools/tooling.py": ["tool"],
    "_common/prompts/prompting.py": ["prompt"],
    "_common/server.py": ["completion"],
    "_common/serving.py": ["custom_route", "on_subscribe", "on_unsubscribe"],
    "_common/telling.py": ["subscribe_resource", "unsubscribe_resource"],
    "server/fastmcp/_registering.py": ["resource"],
    "server/mcpserver/_registering.py": ["resource"],
    "server/mcpserver/_answering.py": ["completion"],
    ONE_SERVER: None,
    "server/fastmcp/_reporting.py": None,
    "server/mcpserver/_reporting.py": None,
    "_common/context.py": None,
}


def definitions(node: ast.AST) -> Iterator[Any]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            yield child
        yield from definitions(child)


def examples() -> Iterator[tuple[str, str]]:
    """Where each example stands, and its code."""
    for path in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        for node in [tree, *definitions(tree)]:
            words = inspect.cleandoc(ast.get_docstring(node, clean=False) or "")
            for _, code in FENCE.findall(words):
                place = f"{path.relative_to(PACKAGE).as_posix()}:{getattr(node, 'name', '')}"
                yield place, textwrap.dedent(code)


EXAMPLES = list(examples())


def programs() -> Iterator[Any]:
    """The examples that run: each with the server that it is about. Those of the low-level
    server's decorators make one server, since listing and calling belong together.
    """
    decorators = [code for place, code in EXAMPLES if place.startswith(ONE_SERVER)]
    yield pytest.param(COMMON + SERVERS["lowlevel"] + "\n".join(decorators), id=ONE_SERVER)
    for place, code in EXAMPLES:
        if place.startswith(ONE_SERVER):
            continue
        if code.startswith(("from ", "import ")) and "await" not in code.split("\n@")[0]:
            yield pytest.param(code, id=place)
        elif re.search(r"^@(mcp|server)\.", code, re.MULTILINE):
            kinds = next((kinds for folder, kinds in PATHS if place.startswith(folder)), [])
            for kind in kinds:
                yield pytest.param(COMMON + SERVERS[kind] + code, id=f"{place}-{kind}")


def test_examples_are_python():
    assert len(EXAMPLES) > 40
    for place, code in EXAMPLES:
        compile(code, place, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


async def elicit(_: Any, params: Any) -> ElicitResult:
    if getattr(params, "mode", "form") == "url":
        return ElicitResult(action="accept")
    kinds = {name: field["type"] for name, field in params.requestedSchema["properties"].items()}
    return ElicitResult(action="accept", content={name: VALUES[kind] for name, kind in kinds.items()})


async def sample(_: Any, __: Any) -> CreateMessageResult:
    return CreateMessageResult(role="assistant", model="m", content=TextContent(type="text", text="yes"))


async def roots(_: Any) -> ListRootsResult:
    return ListRootsResult(roots=[Root.model_validate({"uri": "file:///projects"})])


async def call_everything(server: Any) -> int:
    """Call what a server offers. Returns how much that was."""
    done = 0
    heard: list[Any] = []

    async def log(message: Any) -> None:
        heard.append(message)

    options: Any = {
        "elicitation_callback": elicit,
        "sampling_callback": sample,
        "list_roots_callback": roots,
        "logging_callback": log,
    }
    # The era in which servers can ask while they answer, and subscriptions have handlers.
    async with mcpbolt.Client(server, mode="legacy", **options) as client:
        has = client.server_capabilities
        for tool in (await client.list_tools()).tools if has.tools else ():
            wanted = tool.inputSchema.get("properties", {})
            arguments = {name: VALUES[schema["type"]] for name, schema in wanted.items()}
            result = await client.call_tool(tool.name, arguments)
            assert not result.isError, result.content
            done += 1
        for prompt in (await client.list_prompts()).prompts if has.prompts else ():
            await client.get_prompt(prompt.name, {it.name: "abc" for it in prompt.arguments or ()})
            done += 1
        for resource in (await client.list_resources()).resources if has.resources else ():
            await client.read_resource(str(resource.uri))
            done += 1
        for template in (await client.list_resource_templates()).resourceTemplates if has.resources else ():
            await client.read_resource(re.sub(r"\{\w+\}", "abc", re.sub(r"\{\?\w+\}", "", template.uriTemplate)))
            done += 1
        if has.completions:
            ref = mcpbolt.types.PromptReference(type="ref/prompt", name="example")
            assert (await client.complete(ref, {"name": "city", "value": "P"})).completion.values
            done += 1
        if has.resources and has.resources.subscribe:
            await client.session.subscribe_resource("note://today")  # type: ignore[arg-type]
            await client.session.unsubscribe_resource("note://today")  # type: ignore[arg-type]
            done += 1
        if has.logging:
            await client.set_logging_level("info")
            done += 1
    return done


@pytest.mark.parametrize("code", list(programs()))
def test_an_example_runs_and_what_it_registers_answers(code: str, capsys: pytest.CaptureFixture[str]):
    names: dict[str, Any] = {"__name__": "example"}
    exec(compile(code, "<example>", "exec", dont_inherit=True), names)
    server = names.get("mcp") or names.get("server") or names.get("app")
    if server is None:
        return
    routes = getattr(server, "_custom_starlette_routes", [])
    handlers = getattr(server, "notification_handlers", {})
    offered = anyio.run(call_everything, server)
    assert offered or routes or handlers or "on_" in code, "nothing is registered"


def test_a_wrong_example_would_be_found():
    code = COMMON + SERVERS["fastmcp"] + "@mcp.tool()\ndef broken(a: int) -> int:\n    return missing\n"
    names: dict[str, Any] = {"__name__": "example"}
    exec(compile(code, "<example>", "exec"), names)
    with pytest.raises(AssertionError, match="missing"):
        anyio.run(call_everything, names["mcp"])


def test_decorators_and_functions_of_contexts_have_an_example():
    shown = {place for place, _ in EXAMPLES}
    for path, names in WITH_EXAMPLE.items():
        tree = ast.parse((PACKAGE / path).read_text("utf-8"))
        found = [node for node in definitions(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
        if names is None:
            asks = path == ONE_SERVER
            names = [
                node.name
                for node in found
                if not node.name.startswith("_")
                and (not asks or "Decorator" in (ast.get_docstring(node) or ""))
                and not any("property" in ast.unparse(mark) for mark in node.decorator_list)
                and ast.get_docstring(node)
            ]
        assert names, path
        without = [name for name in names if f"{path}:{name}" not in shown]
        assert set(without) <= WITHOUT_EXAMPLE, path
