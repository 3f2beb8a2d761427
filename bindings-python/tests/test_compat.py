"""`mcpbolt.compat`: the official package's name means this package, in this process and in
those it starts. Each test is a process of its own: the name can only be taken once.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from aliased import compat, python
from bounds import LIMIT
from wire import buffered

OFFICIAL = "1.30.0"


def test_a_module_is_one_object_under_both_names() -> None:
    code = """
import mcp, mcpbolt, mcp.types, mcpbolt.types, mcpbolt.server.fastmcp.server, sys
import mcp.server.fastmcp.server as official_name
from mcp.shared.exceptions import McpError
from mcpbolt.shared.exceptions import McpError as Same
assert mcp is mcpbolt and mcp.types is mcpbolt.types and McpError is Same
assert official_name is mcpbolt.server.fastmcp.server
assert sys.modules["mcp.server"] is sys.modules["mcpbolt.server"]
assert mcp.types.__spec__.name == "mcpbolt.types" and mcp.types.__name__ == "mcp.types"
assert mcp.Tool is mcpbolt.types.Tool
print("same")
"""
    assert compat(code) == "same"


def test_installing_imports_nothing_that_takes_time() -> None:
    code = """
import sys
from mcpbolt import compat
compat.install()
import mcp
print(sorted({"pydantic", "anyio", "asyncio", "httpx", "importlib.metadata", "starlette"} & set(sys.modules)))
"""
    assert python("-c", code) == "[]"


def test_the_release_of_that_name_has_no_modules_of_a_later_one() -> None:
    # Programs for both lines of the official package import it to learn which they have.
    code = """
import mcpbolt.server.mcpserver
for name in ("mcp.server.mcpserver", "mcp.server.mcpserver.context"):
    try:
        __import__(name)
    except ModuleNotFoundError as error:
        print(error.name)
"""
    assert compat(code).split() == ["mcp.server.mcpserver"] * 2


@pytest.mark.parametrize("options", [(), ("--fixes",)])
def test_classes_of_that_name_have_no_methods_of_a_later_release(options: tuple[str, ...]) -> None:
    # Programs for both lines of the official package look for them to learn which they have.
    code = """
from mcp import ClientSession
from mcp.server.lowlevel import Server
server = Server("probed")
found = [hasattr(ClientSession, name) for name in ("discover", "initialize")]
for name in ("add_request_handler", "add_notification_handler", "get_request_handler", "get_notification_handler"):
    found.append(hasattr(Server, name) or hasattr(server, name))
print(found)
"""
    assert compat(code, *options) == str([False, True, False, False, False, False])
    assert python("-c", code.replace("from mcp", "from mcpbolt")) == str([True] * 6)


def test_what_is_not_there_is_missing_under_the_name_that_was_asked_for() -> None:
    code = """
import importlib.util
assert importlib.util.find_spec("mcp.shared.nothing") is None
assert importlib.util.find_spec("mcp.types").name == "mcp.types"
try:
    import mcp.nothing
except ModuleNotFoundError as error:
    print(error.name)
"""
    assert compat(code) == "mcp.nothing"


def test_programs_that_ask_for_the_version_get_the_emulated_one() -> None:
    code = """
from importlib.metadata import distribution, metadata, packages_distributions, requires, version
assert distribution("MCP").metadata["Name"] == "mcp" and requires("mcp") == ["mcpbolt"]
assert "mcp" in packages_distributions()["mcp"] and metadata("pytest")["Name"] == "pytest"
print(version("mcp"))
"""
    assert compat(code) == OFFICIAL


def test_it_is_refused_where_the_official_package_is_imported_already() -> None:
    pytest.importorskip("mcp", reason="the official package is not installed")
    said = python("-c", "import mcp.types, mcpbolt.compat; mcpbolt.compat.install()", fails=True)
    last = said.strip().splitlines()[-1]
    assert last.startswith("RuntimeError: 'mcp' is imported already, from ") and "python -m mcpbolt.compat" in last


def test_installing_twice_changes_nothing() -> None:
    code = """
import sys
from mcpbolt import compat
before = len(sys.meta_path)
assert not compat.installed()
for _ in range(2):
    compat.install()
assert compat.installed() and len(sys.meta_path) == before + 1
print("once")
"""
    assert python("-c", code) == "once"


@pytest.mark.parametrize(
    "code, official",
    [
        ("compat.install()", True),
        ("compat.install(fixes=True)", False),
        ("compat.fixes = True; compat.install()", False),
        ("compat.install(); compat.fixes = True", False),
        ("compat.install(fixes=True); compat.install()", False),
        ("compat.install(fixes=True); compat.fixes = False", True),
        ("compat.fixes = False", False),
    ],
)
def test_one_switch_says_whose_words_hold(code: str, official: bool) -> None:
    program = f"""
from mcpbolt import compat
{code}
from mcpbolt.server._error_responses import method_not_found
print(method_not_found("x").message)
"""
    assert python("-c", program) == ("Method not found" if official else "Method not found: x")


def test_pickles_of_the_official_package_can_be_read() -> None:
    pytest.importorskip("mcp", reason="the official package is not installed")
    make = "import mcp.types, pickle; print(pickle.dumps(mcp.types.TextContent(type='text', text='kept')).hex())"
    read = "import mcp.types, pickle, sys; print(repr(pickle.loads(bytes.fromhex(sys.argv[1])).text))"
    pickled = python("-c", make)
    assert python("-m", "mcpbolt.compat", "-c", read, pickled) == "'kept'"


# Running programs

REPORT = "import json, sys, mcp; print(json.dumps([mcp.__spec__.name, __name__, sys.argv[1:], sys.path[0]]))"


def test_a_script_finds_its_own_file_wherever_it_goes(tmp_path: Path) -> None:
    script = tmp_path / "program.py"
    script.write_text("""
import inspect, os, sys
os.chdir(os.path.dirname(sys.executable))
def here() -> "a name": pass
print(os.path.isabs(__file__), os.path.normpath(__file__), sys.argv, type(__loader__).__name__, __spec__, inspect.getsource(here).strip(), here.__annotations__)
""")
    given = os.path.relpath(script)
    said = python("-m", "mcpbolt.compat", given, "-x")
    assert said == python(given, "-x")
    assert said.startswith(f"True {os.path.abspath(given)} {[given, '-x']} SourceFileLoader None def here()")


def test_code_has_only_the_future_that_it_imports() -> None:
    assert compat("def here() -> int: pass\nprint(here.__annotations__)") == "{'return': <class 'int'>}"


def test_a_script_runs_as_the_program(tmp_path: Path) -> None:
    script = tmp_path / "program.py"
    script.write_text(REPORT)
    said: list[Any] = json.loads(python("-m", "mcpbolt.compat", str(script), "-x", "--fixes"))
    assert said == ["mcpbolt", "__main__", ["-x", "--fixes"], str(tmp_path)]


def test_a_module_runs_as_the_program(tmp_path: Path) -> None:
    (tmp_path / "program").mkdir()
    (tmp_path / "program" / "__init__.py").write_text("")
    (tmp_path / "program" / "__main__.py").write_text(REPORT)
    paths = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    said: list[Any] = json.loads(python("-m", "mcpbolt.compat", "-m", "program", "--flag", PYTHONPATH=paths))
    assert said[:3] == ["mcpbolt", "__main__", ["--flag"]]


def test_a_module_of_the_official_package_runs_under_its_name() -> None:
    client = ["-m", "mcpbolt.compat", "--children", "-m", "mcp.client", "--", sys.executable, "-m", "mcp.server"]
    done = subprocess.run([sys.executable, *client], capture_output=True, text=True, timeout=LIMIT)
    assert "Initialized: mcpbolt" in done.stderr, done.stderr


@pytest.mark.parametrize("arguments", [[], ["-m"], ["--nothing"]])
def test_wrong_arguments_are_explained(arguments: list[str]) -> None:
    assert "usage: python -m mcpbolt.compat" in python("-m", "mcpbolt.compat", *arguments, fails=True)


# Child processes

CHILD = "import mcp; print(mcp.__spec__.name)"
PARENT = f"""
import subprocess, sys
print(subprocess.run([sys.executable, "-c", {CHILD!r}], capture_output=True, text=True, check=True).stdout, end="")
"""
SERVED = """
import mcp
from mcp.server.fastmcp import FastMCP
server = FastMCP(mcp.__spec__.name)
server.run()
"""
CLIENT = f"""
import asyncio, sys
from mcp import ClientSession, StdioServerParameters, stdio_client
async def main():
    parameters = StdioServerParameters(command=sys.executable, args=["-c", {SERVED!r}])
    async with stdio_client(parameters) as streams, ClientSession(*streams) as session:
        print((await session.initialize()).serverInfo.name)
asyncio.run(main())
"""


@pytest.mark.parametrize("program", [PARENT, CLIENT], ids=["subprocess", "stdio_client"])
def test_children_get_the_alias_only_when_asked(program: str) -> None:
    pytest.importorskip("mcp", reason="the official package is not installed")
    assert compat(program) == "mcp"
    assert compat(program, "--children") == "mcpbolt"
    assert compat(program, MCPBOLT_COMPAT="1") == "mcpbolt"


def test_grandchildren_get_it_too_with_the_fixes() -> None:
    program = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {PARENT!r}], check=True)"
    assert compat(program, "--children") == "mcpbolt"
    asked = "from mcpbolt import compat; print(compat.fixes)"
    child = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {asked!r}], check=True)"
    assert compat(child, MCPBOLT_COMPAT="fixes") == "True"
    assert compat(child, MCPBOLT_COMPAT="1") == "False"


def test_processes_of_multiprocessing_get_it(tmp_path: Path) -> None:
    script = tmp_path / "pool.py"
    script.write_text("""
import multiprocessing
def name(_):
    import mcp
    return mcp.__spec__.name
if __name__ == "__main__":
    for kind in ("fork", "spawn"):
        with multiprocessing.get_context(kind).Pool(1) as pool:
            print(*pool.map(name, [0]))
""")
    kinds = python("-m", "mcpbolt.compat", "--children", str(script)).split()
    assert kinds == ["mcpbolt", "mcpbolt"]


def test_a_sitecustomize_that_was_there_still_runs(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("print('mine')")
    paths = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    assert compat(PARENT, "--children", PYTHONPATH=paths).splitlines() == ["mine", "mine", "mcpbolt"]


# What is under the name


def _official_modules() -> list[str]:
    from importlib.util import find_spec

    spec = find_spec("mcp")
    assert spec is not None and spec.submodule_search_locations
    top = Path(next(iter(spec.submodule_search_locations)))
    files = [file.relative_to(top).with_suffix("").parts for file in top.rglob("*.py")]
    return sorted(".".join(("mcp", *parts)).removesuffix(".__init__") for parts in files)


def test_every_module_of_the_official_package_can_be_imported() -> None:
    pytest.importorskip("mcp.server.fastmcp", reason="the official package is not installed")
    wanted = [name for name in _official_modules() if not name.endswith("__main__")]
    assert len(wanted) > 90
    code = """
import importlib, json, sys
missing = []
for name in json.loads(sys.argv[1]):
    try:
        assert importlib.import_module(name) is sys.modules["mcpbolt" + name[3:]]
    except ImportError as error:
        missing.append(f"{name}: {error}")
print(missing)
"""
    assert python("-m", "mcpbolt.compat", "-c", code, json.dumps(wanted)) == "[]"


def test_who_waits_for_an_import_knows_the_module_by_its_official_name() -> None:
    # As libraries do that put spans around functions: a finder before all others, whose
    # loader asks a module for its name.
    code = """
import importlib.util, sys

class Waiting:
    def __init__(self, loader):
        self.loader = loader
    def __getattr__(self, name):
        return getattr(self.loader, name)
    def create_module(self, spec):
        return self.loader.create_module(spec)
    def exec_module(self, module):
        self.loader.exec_module(module)
        seen.append(module.__name__)

class Finder:
    busy = False
    def find_spec(self, name, path=None, target=None):
        if self.busy or not name.startswith("mcp."):
            return None
        self.busy = True
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self.busy = False
        if spec is not None:
            spec.loader = Waiting(spec.loader)
        return spec

seen = []
sys.meta_path.insert(0, Finder())
import mcp.client.stdio, mcp.server.session
print(*seen)
"""
    seen = compat(code).split()
    assert "mcp.client.stdio" in seen and "mcp.server.session" in seen
    assert not [name for name in seen if name.startswith("mcpbolt")]


def test_what_stands_in_the_place_of_a_method_of_all_sessions_sees_their_requests() -> None:
    code = """
import anyio
from mcp.server.fastmcp import Context, FastMCP
from mcp.server.lowlevel import Server
from mcp.shared.memory import create_connected_server_and_client_session
from mcp.shared.session import BaseSession

seen = []
send_request, send_notification, call_tool = BaseSession.send_request, BaseSession.send_notification, Server.call_tool

async def watched(self, request, *more, **named):
    seen.append(type(self).__name__ + " " + request.root.method)
    return await send_request(self, request, *more, **named)

async def told(self, notification, *more, **named):
    seen.append(type(self).__name__ + " " + notification.root.method)
    return await send_notification(self, notification, *more, **named)

def decorated(self, **named):
    def decorator(function):
        async def around(*arguments):
            seen.append("around " + arguments[0])
            return await function(*arguments)
        return call_tool(self, **named)(around)
    return decorator

BaseSession.send_request, BaseSession.send_notification, Server.call_tool = watched, told, decorated
server = FastMCP("x")

@server.tool()
def add(a: int) -> int:
    return a

@server.tool()
async def ask(ctx: Context) -> str:
    return str(len((await ctx.session.list_roots()).roots))

async def roots(context):
    from mcp.types import ListRootsResult
    return ListRootsResult(roots=[])

async def main():
    async with create_connected_server_and_client_session(server, list_roots_callback=roots) as session:
        await session.call_tool("add", {"a": 1})
        await session.call_tool("ask")
        await session.send_roots_list_changed()

anyio.run(main)
print(*seen, sep="|")
"""
    seen = compat(code).split("|")
    asked = ["ClientSession tools/call", "around add", "ClientSession tools/call", "around ask", "ServerSession roots/list"]
    assert [one for one in seen if "initialize" not in one and "tools/list" not in one] == [
        *asked,
        "ClientSession notifications/roots/list_changed",
    ]
    assert seen[0] == "ClientSession initialize"


def test_a_class_says_that_it_is_of_the_official_package() -> None:
    code = """
from mcp import ClientSession
from mcp.server.fastmcp import FastMCP
from mcp.shared.exceptions import McpError
import pickle
from mcp.types import ErrorData
print(FastMCP.__module__, ClientSession.__module__, McpError.__module__)
print(repr(pickle.loads(pickle.dumps(McpError(ErrorData(code=1, message="m")))).error.message))
"""
    assert compat(code).split() == ["mcp.server.fastmcp.server", "mcp.client.session", "mcp.shared.exceptions", "'m'"]


def test_a_handler_of_initialize_is_not_asked() -> None:
    code = """
import anyio
from mcp.server.lowlevel import Server
from mcp.shared.memory import create_connected_server_and_client_session
from mcp.types import InitializeRequest, ServerResult

server = Server("x")

async def never(request):
    raise RuntimeError("asked")

server.request_handlers[InitializeRequest] = never

async def main():
    async with create_connected_server_and_client_session(server) as session:
        print((await session.send_ping()).model_dump(exclude_none=True))

anyio.run(main)
"""
    assert compat(code) == "{}"


def test_clients_have_no_names_of_2_x() -> None:
    code = """
import mcp.client, mcp.client.session, mcp.client.client
print(hasattr(mcp.client, "Client"), hasattr(mcp.client, "advertise"), mcp.client.session.__name__)
"""
    assert compat(code) == "False False mcp.client.session"


def test_what_a_server_printed_before_it_serves_is_not_on_the_wire() -> None:
    code = "from mcp.server.fastmcp import FastMCP; print('starting'); FastMCP('x').run()"
    request = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    done = subprocess.run(
        [sys.executable, "-m", "mcpbolt.compat", "-c", code],
        input=json.dumps(request) + "\n",
        capture_output=True,
        text=True,
        timeout=LIMIT,
        env=buffered(),
    )
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [1]
    assert "starting" in done.stderr
