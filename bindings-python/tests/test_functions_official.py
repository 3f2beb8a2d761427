"""Schemas, results and refusals of tool functions beside those of the official package."""

import asyncio
import json
import sys
import warnings
from types import SimpleNamespace
from typing import Any

import mcpbolt.types as our_types
import pytest
from mcpbolt.server.fastmcp import Audio, Context, FastMCP, Image
from mcpbolt.shared.exceptions import McpError
from signatures import Call, corpus

official = pytest.importorskip("mcp.server.fastmcp", reason="the official package is not installed")
if not hasattr(official, "FastMCP"):
    pytest.skip("the official package is not 1.30", allow_module_level=True)
import mcp.types as their_types  # noqa: E402
from mcp.shared.exceptions import McpError as TheirError  # noqa: E402

OURS = SimpleNamespace(Context=Context, Image=Image, Audio=Audio, types=our_types, McpError=McpError)
THEIRS = SimpleNamespace(
    Context=official.Context, Image=official.Image, Audio=official.Audio, types=their_types, McpError=TheirError
)
ROWS = list(zip(corpus(OURS), corpus(THEIRS), strict=True))
IDS = [row[0][0].__name__ for row in ROWS]


def register(server: Any, function: Any) -> Any:
    """The tool as clients see it, or why there is none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            server.add_tool(function)
        except Exception as error:
            return type(error).__name__, str(error)
        tools = asyncio.run(server.list_tools())
    return without_docs(json.loads(tools[0].model_dump_json(by_alias=True, exclude_none=True)))


def without_docs(described: Any) -> Any:
    """Without the docstrings of the protocol's own types, which are each package's own."""
    schema = described.get("outputSchema", {})
    for part in [schema, *schema.get("$defs", {}).values()]:
        if hasattr(our_types, part.get("title", "-")):
            part.pop("description", None)
    return described


def ask(server: Any, types: Any, name: str, arguments: Call) -> Any:
    request = types.CallToolRequest(
        method="tools/call", params=types.CallToolRequestParams(name=name, arguments=arguments)
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = asyncio.run(server._mcp_server.request_handlers[types.CallToolRequest](request))
    return json.loads(result.model_dump_json(by_alias=True, exclude_none=True))


@pytest.mark.parametrize("ours, theirs", ROWS, ids=IDS)
def test_a_function_is_described_and_answers_as_in_the_official_package(ours: Any, theirs: Any) -> None:
    mine, other = FastMCP("x"), official.FastMCP("x")
    described, wanted = register(mine, ours[0]), register(other, theirs[0])
    if sys.version_info < (3, 11) and isinstance(wanted, tuple) and wanted[0] == "PydanticForbiddenQualifier":
        # `NotRequired` of typing_extensions in a result, which it can have from Python 3.11 on.
        assert described["outputSchema"]["required"] == ["title"]
        return
    assert described == wanted
    if isinstance(described, tuple):
        return
    for arguments in ours[1]:
        expected = ask(other, their_types, described["name"], arguments)
        assert ask(mine, our_types, described["name"], arguments) == expected, arguments
        direct = json.loads(str(asyncio.run(mine._provider.call(described["name"], arguments))))
        assert direct == expected, arguments


def test_the_corpus_is_large_enough() -> None:
    assert len(ROWS) >= 60
    assert sum(len(row[0][1]) for row in ROWS) >= 150
