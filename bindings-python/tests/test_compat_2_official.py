"""Under the alias of 2.x, `mcp` and `mcp_types` have the names of the official packages 2.3.0, and
its models the same members, defaults and keys.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from bounds import START
from peer import MODERN

pytestmark = pytest.mark.skipif(not MODERN, reason="MCPBOLT_TEST_PYTHON_MCP2 names no interpreter")

# Modules that are the official package's own engine, or belong to authorization and the command.
ASIDE = (
    "mcp.cli",
    "mcp.client.auth",
    "mcp.os",
    "mcp.server.auth",
    "mcp.server.connection",
    "mcp.server.runner",
    "mcp.shared.auth",
    "mcp.shared.direct_dispatcher",
    "mcp.shared.dispatcher",
    "mcp.shared.inbound",
    "mcp.shared.jsonrpc_dispatcher",
    "mcp.shared.peer",
    "mcp.shared.transport_context",
    "mcp.types.methods",
    "mcp_types.methods",
)
# Names of helpers that nothing outside of their module needs.
HELPERS = {
    "mcp.server.caching": {"apply_cache_hint", "validate_cache_hints"},
    "mcp.server.context": {"Context", "LifespanT_co"},
    "mcp.server.elicitation": {"render_elicitation_schema"},
    "mcp.server.extension": {"compose_tool_call_handler"},
    "mcp.server.lowlevel.server": {"HandlerEntry"},
    "mcp.server.mcpserver.resolve": {
        "build_resolver_plans",
        "find_resolved_parameters",
        "resolve_arguments",
        "returns_input_required",
    },
    "mcp.server.mcpserver.server": {"Settings", "lifespan_wrapper"},
    "mcp.server.mcpserver.utilities.func_metadata": {"StrictJsonSchema"},
    "mcp.server.streamable_http": {"check_accept_headers"},
    "mcp.server.streamable_http_manager": {"StreamableHTTPASGIApp"},
    "mcp.server.validation": {"wants_sampling_tools"},
    "mcp.shared.context": {"BaseContext"},
    "mcp.shared.subscriptions": {
        "LISTEN_STREAM_METHODS",
        "event_from_wire",
        "event_matches",
        "event_to_notification",
    },
}

NAMES = """
import importlib, json, pathlib, sys
import mcp, mcp_types

aside = tuple(json.loads(sys.argv[1]))
found = {}
for top in (mcp, mcp_types):
    root = pathlib.Path(top.__file__).parent
    for file in sorted(root.rglob("*.py")):
        parts = [top.__name__, *file.relative_to(root).with_suffix("").parts]
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if name.startswith(aside) or "._" in name or name.endswith("__main__") or name == "mcp.server.fastmcp":
            continue
        module = importlib.import_module(name)
        own = [one for one, value in vars(module).items() if getattr(value, "__module__", None) == name]
        found[name] = [one for one in getattr(module, "__all__", own) if not one.startswith("_")]
print(json.dumps(found))
"""

MISSING = """
import importlib, json, sys

missing = []
for name, public in json.load(sys.stdin).items():
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        missing.append(f"{name}: {error}")
        continue
    missing += [f"{name}.{one}" for one in public if not hasattr(module, one)]
print(json.dumps(missing))
"""

MODELS = """
import json
import mcp_types as t

text = t.TextContent(text="hi", annotations=t.Annotations(audience=["user"], last_modified="2026-01-01"))
tool = t.Tool(name="a", input_schema={"type": "object"}, annotations=t.ToolAnnotations(read_only_hint=True))
made = [
    text,
    tool,
    t.Implementation(name="a", version="1", website_url="http://a"),
    t.CallToolResult(content=[text], structured_content={"a": 1}),
    t.ListToolsResult(tools=[tool], next_cursor="b"),
    t.EmptyResult(),
    t.Resource(uri="a://b c", name="b", mime_type="text/plain"),
    t.ReadResourceResult(contents=[t.TextResourceContents(uri="a://b", text="c")]),
    t.CallToolRequest(params=t.CallToolRequestParams(name="a", _meta={"progress_token": 1, "x": 2})),
    t.InputRequiredResult(input_requests={"a": t.ListRootsRequest()}, request_state="b"),
    t.InitializeResult(protocol_version="2025-11-25", capabilities=t.ServerCapabilities(), server_info={"name": "a", "version": "1"}),
    t.client_request_adapter.validate_python({"method": "ping"}),
    t.jsonrpc_message_adapter.validate_json('{"jsonrpc": "2.0", "id": 1, "result": {"a": 1}}'),
    t.Tool.model_validate({"name": "a", "inputSchema": {}, "unknown": 1}),
]
print(json.dumps([[type(one).__name__, one.model_dump(mode="json"), one.model_dump(by_alias=True, exclude_none=True)] for one in made]))
"""

FACTS = """
import importlib.metadata, json, mcp, mcp.types, mcp_types
from mcp.client.streamable_http import streamable_http_client
from mcp.server import MCPServer

print(json.dumps([
    importlib.metadata.version("mcp"), importlib.metadata.version("mcp-types"),
    mcp.types.Tool is mcp_types.Tool, hasattr(mcp, "FastMCP"), hasattr(mcp_types.JSONRPCMessage, "root"),
    mcp_types.LATEST_PROTOCOL_VERSION, str(type(mcp_types.Root(uri="file:///a").uri).__name__),
]))
"""


def official(program: str, *words: str) -> str:
    done = subprocess.run([MODERN, "-c", program, *words], capture_output=True, text=True, timeout=START, check=True)
    return done.stdout


def ours(program: str, stdin: str = "") -> Any:
    command = [sys.executable, "-m", "mcpbolt.compat", "--api", "2", "-c", program]
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=START)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_every_public_name_is_there() -> None:
    missing = ours(MISSING, official(NAMES, json.dumps(ASIDE)))
    helpers = {f"{module}.{name}" for module, names in HELPERS.items() for name in names}
    assert [name for name in missing if name not in helpers] == []


def test_models_are_the_same() -> None:
    theirs = json.loads(official(MODELS))
    assert ours(MODELS) == theirs


def test_versions_and_facts_are_the_same() -> None:
    assert ours(FACTS) == json.loads(official(FACTS))


def test_a_line_is_chosen_once() -> None:
    program = """
import json
from mcpbolt import compat
try:
    compat.install(api=1)
except RuntimeError as error:
    print(json.dumps(str(error)))
"""
    assert ours(program) == "the official name means 2.x in this process already"


def test_what_2_renamed_says_so() -> None:
    program = """
import json
try:
    import mcp.server.fastmcp
except ModuleNotFoundError as error:
    print(json.dumps(str(error)))
"""
    assert "mcp.server.mcpserver.MCPServer" in ours(program)


ERRORS = """
import json
from mcp import MCPError

error = MCPError(-1, "words", {"a": 1})
print(json.dumps([repr(error), str(error), list(error.args), repr(MCPError.from_error_data(error.error)), repr(MCPError(1, "b"))]))
"""


def test_errors_show_what_they_are_made_of() -> None:
    assert ours(ERRORS) == json.loads(official(ERRORS))


def test_a_server_runs_over_http_without_an_app() -> None:
    program = """
import anyio, json, sys
from mcp.server.mcpserver import MCPServer

server = MCPServer("a")
found = []

async def main():
    async with anyio.create_task_group() as group:
        group.start_soon(lambda: server.run_streamable_http_async(port=0))
        with anyio.fail_after(20):
            while not found:
                await anyio.lowlevel.checkpoint()
                try:
                    found.append(type(server.session_manager).__name__)
                except RuntimeError:
                    continue
        group.cancel_scope.cancel()

anyio.run(main)
print(json.dumps(found))
"""
    assert ours(program) == ["StreamableHTTPSessionManager"]
