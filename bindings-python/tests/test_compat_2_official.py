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

# The command, which is another here.
ASIDE = ("mcp.cli",)
# Names that are left out: handles of Windows, which the engine closes itself.
LEFT = {"mcp.os.win32.utilities.close_process_job", "mcp.os.win32.utilities.rebind_std_handle_to_fd"}
# Members and parameters that may be left out: those of the official package's own loop, of plans
# that only it makes, and of handles of Windows.
LEFT_OF_CLASSES = {
    "mcp.os.win32.utilities.FallbackProcess.returncode",
    "mcp.server.mcpserver.tools.Tool(resolved_params)",
    "mcp.server.mcpserver.tools.Tool(resolver_plans)",
    "mcp.server.mcpserver.tools.base.Tool(resolved_params)",
    "mcp.server.mcpserver.tools.base.Tool(resolver_plans)",
    "mcp.server.runner.ServerRunner.init_options",
    "mcp.server.runner.ServerRunner.on_notify",
    "mcp.server.runner.ServerRunner.on_request",
    "mcp.shared.jsonrpc_dispatcher.JSONRPCDispatcher.notify",
    "mcp.shared.jsonrpc_dispatcher.JSONRPCDispatcher.run",
    "mcp.shared.jsonrpc_dispatcher.JSONRPCDispatcher.send_raw_request",
    "mcp.shared.message.ClientMessageMetadata(headers)",
    "mcp.shared.message.ClientMessageMetadata.headers",
    "mcp.shared.message.ServerMessageMetadata(can_send_request)",
    "mcp.shared.message.ServerMessageMetadata(on_request_unanswered)",
    "mcp.shared.message.ServerMessageMetadata.can_send_request",
    "mcp.shared.message.ServerMessageMetadata.on_request_unanswered",
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
        public = [one for one in getattr(module, "__all__", own) if not one.startswith("_")]
        found[name] = {one: members(getattr(module, one)) for one in public}
print(json.dumps(found))
"""

# What both programs below say of a class: its members, and what these take.
SAYS = """
import inspect

def parameters(value):
    try:
        found = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return []
    return [one.name for one in found if not one.name.startswith("_") and one.name not in ("self", "cls")]

def members(value):
    if not inspect.isclass(value):
        return {"": parameters(value)} if inspect.isfunction(value) else {}
    of_pydantic = ("model_config", "model_fields", "model_computed_fields", "model_post_init")
    own = [name for name in vars(value) if not name.startswith("_") and name not in of_pydantic]
    said = {name: getattr(value, name, None) for name in own}
    return {"": parameters(value), **{name: parameters(one) if callable(one) else [] for name, one in said.items()}}
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

MEMBERS = """
import importlib, inspect, json, sys

def is_there(ours, member):
    if not inspect.isclass(ours):
        return hasattr(ours, member)
    annotated = {name for base in ours.__mro__ for name in getattr(base, "__annotations__", ())}
    return hasattr(ours, member) or member in {*annotated, *getattr(ours, "model_fields", ())}

missing = []
for name, public in json.load(sys.stdin).items():
    module = importlib.import_module(name)
    for one, theirs in public.items():
        ours = getattr(module, one, None)
        if ours is None:
            continue
        for member, wanted in theirs.items():
            mine = getattr(ours, member, None) if member else ours
            where = f"{name}.{one}.{member}".rstrip(".")
            if member and not is_there(ours, member):
                missing.append(where)
            elif callable(mine) and not takes_any(mine):
                missing += [f"{where}({each})" for each in sorted(set(wanted) - set(parameters(mine)))]
print(json.dumps(missing))
"""

TAKES_ANY = """
def takes_any(value):
    try:
        return any(one.kind is one.VAR_KEYWORD for one in inspect.signature(value).parameters.values())
    except (TypeError, ValueError):
        return True
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

METHODS = """
import json
from mcp_types import methods

maps = [name for name in methods.__all__ if name.isupper()]
said = {name: sorted(map(str, getattr(methods, name))) for name in maps}

def outcome(function, *arguments):
    try:
        found = getattr(methods, function)(*arguments)
    except Exception as error:
        return type(error).__name__
    return found if found is None or isinstance(found, dict) else found.model_dump(by_alias=True, exclude_unset=True)

tool = {"name": "a", "inputSchema": {"type": "object"}, "execution": {"taskSupport": "optional"}, "other": 1}
kept = {"resultType": "complete", "ttlMs": 1, "cacheScope": "public"}
envelope = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
asked = {"roots": {"method": "roots/list"}}
said["calls"] = [
    outcome("serialize_server_result", "tools/list", "2025-11-25", {"tools": [tool], **kept}),
    outcome("serialize_server_result", "tools/list", "2026-07-28", {"tools": [tool], **kept}),
    outcome("serialize_server_result", "tools/list", "2026-07-28", {"tools": [tool]}),
    outcome("serialize_server_result", "tools/call", "2026-07-28", {"resultType": "other", "member": 1}),
    outcome("serialize_server_result", "tools/call", "2024-11-05", {"content": [{"type": "text", "text": "a"}]}),
    outcome("serialize_server_result", "tools/call", "1999-01-01", {"content": []}),
    outcome("serialize_server_result", "server/discover", "2025-11-25", {}),
    outcome("parse_server_result", "tools/call", "2026-07-28", {"resultType": "input_required", "inputRequests": asked}),
    outcome("parse_client_request", "tools/call", "2026-07-28", {"name": "a"}),
    outcome("parse_client_request", "tools/call", "2026-07-28", {"name": "a", "_meta": envelope}),
    outcome("parse_client_request", "tools/call", "2025-11-25", {"name": "a"}),
    outcome("parse_client_request", "ping", "2026-07-28", None),
    outcome("parse_server_request", "elicitation/create", "2025-03-26", {}),
    outcome("parse_client_notification", "notifications/cancelled", "2026-07-28", {}),
    outcome("parse_server_notification", "notifications/progress", "2025-11-25", {"progressToken": 1, "progress": 2}),
    outcome("validate_client_result", "roots/list", "2025-11-25", {"roots": [{"uri": "file:///a"}]}),
    outcome("validate_client_result", "elicitation/create", "2025-11-25", {"action": "perhaps"}),
]
print(json.dumps(said, sort_keys=True))
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


@pytest.fixture(scope="module")
def names() -> str:
    """Every public name of the official packages by module, with members and parameters, as JSON."""
    return official(SAYS + NAMES, json.dumps(ASIDE))


def test_every_public_name_is_there(names: str) -> None:
    assert set(ours(MISSING, names)) == LEFT


def test_every_member_and_parameter_is_there(names: str) -> None:
    assert set(ours(SAYS + TAKES_ANY + MEMBERS, names)) <= LEFT_OF_CLASSES


def test_models_are_the_same() -> None:
    theirs = json.loads(official(MODELS))
    assert ours(MODELS) == theirs


def test_messages_by_method_and_revision_are_the_same() -> None:
    assert ours(METHODS) == json.loads(official(METHODS))


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
    assert "(from mcp.server.mcpserver import MCPServer)" in ours(program)


def test_what_is_only_the_official_packages_says_what_to_use() -> None:
    program = """
import json
from mcp.server.runner import ServerRunner
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher

words = []
for kind in (ServerRunner, JSONRPCDispatcher):
    try:
        kind()
    except Exception as error:
        words.append(str(error))
print(json.dumps(words))
"""
    runner, dispatcher = ours(program)
    assert "Server.run" in runner
    assert "ClientSession" in dispatcher


def test_two_ends_within_a_process_call_each_other() -> None:
    program = """
import anyio, json
from mcp.shared.direct_dispatcher import create_direct_dispatcher_pair
from mcp.shared.exceptions import MCPError

async def main():
    here, there = create_direct_dispatcher_pair()
    said = []

    async def request(context, method, params):
        if method == "fail":
            raise MCPError(code=-5, message="no")
        said.append(await context.send_raw_request("back", {"id": context.request_id}) if method == "ask" else method)
        return {"answer": method, **(params or {})}

    async def note(context, method, params):
        said.append([method, context.request_id])

    async with anyio.create_task_group() as group:
        for end in (here, there):
            await group.start(end.run, request, note)
        said.append(await here.send_raw_request("ask", {"a": 1}, {"request_id": "mine"}))
        await here.notify("told", None)
        try:
            await here.send_raw_request("fail", None)
        except MCPError as error:
            said.append([error.code, error.message])
        here.close()
        there.close()
    print(json.dumps(said))

anyio.run(main)
"""
    assert ours(program) == json.loads(official(program))


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
