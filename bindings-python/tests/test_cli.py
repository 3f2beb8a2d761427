"""The command `mcpbolt`, as a user types it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from bounds import LIMIT

from mcpbolt.cli._load import LoadError, parse_spec, split_spec
from mcpbolt.cli.cli import make_parser

SERVER = """
from dataclasses import dataclass
from mcpbolt.server.fastmcp import FastMCP
from mcpbolt.server import Server

mcp = FastMCP("weather", dependencies=["pandas"])
other = FastMCP("other")
low = Server("low")
text = "no server"

@dataclass
class Point:
    x: int

@mcp.tool()
def add(a: int, b: int) -> int:
    return a + b
"""
HELLO = (
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",'
    '"capabilities":{},"clientInfo":{"name":"c","version":"1"}}}\n'
)


@pytest.fixture
def server(tmp_path: Path) -> Path:
    file = tmp_path / "server file.py"
    file.write_text(SERVER)
    return file


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home where the desktop app has been started, and a PATH without uv and npx."""
    home = tmp_path / "home"
    folder = home / ".config" / "Claude"
    if sys.platform == "darwin":
        folder = home / "Library" / "Application Support" / "Claude"
    folder.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return folder


def command(*arguments: str, stdin: str = "", code: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "mcpbolt", *arguments], capture_output=True, text=True, timeout=LIMIT, input=stdin
    )
    assert done.returncode == code, done.stderr
    return done


def put(folder: Path, name: str) -> None:
    """A program that writes down its arguments."""
    folder.mkdir(exist_ok=True)
    program = folder / name
    program.write_text(f'#!{sys.executable}\nimport json, sys\nprint(json.dumps(sys.argv[1:]))\nsys.exit(3 * ("fail" in sys.argv))\n')
    program.chmod(0o755)


def test_without_a_verb_it_explains_itself() -> None:
    said = command(code=2).stdout
    assert all(verb in said for verb in ("run", "dev", "install", "version", "limits"))
    assert "--transport" in command("run", "--help").stdout


def test_version_is_that_of_the_engine() -> None:
    from mcpbolt import _mcpbolt

    shown = f"mcpbolt {_mcpbolt.__version__}\n"
    assert command("version").stdout == command("--version").stdout == shown


def test_limits_are_those_of_the_engine() -> None:
    api = Path(__file__).parents[2] / "core" / "api.json"
    rows = command("limits").stdout
    for limit in json.loads(api.read_text())["limits"]:
        assert f"{limit['name']} " in rows and f"beyond: {limit['beyond']}\n" in rows
    assert "16 MiB" in rows


# run


@pytest.mark.parametrize("name", ["", ":mcp", ":other"])
def test_run_serves_the_standard_streams(server: Path, name: str) -> None:
    reply = json.loads(command("run", f"{server}{name}", stdin=HELLO).stdout)
    assert reply["result"]["serverInfo"]["name"] == ("other" if name == ":other" else "weather")


def test_the_module_of_servers_runs_a_file_too(server: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mcpbolt.server", str(server)], capture_output=True, text=True, timeout=LIMIT, input=HELLO
    )
    assert json.loads(done.stdout)["result"]["serverInfo"]["name"] == "weather", done.stderr


@pytest.mark.parametrize(
    "name, why",
    [
        (":low", "low is a low-level server"),
        (":text", "text is no FastMCP but builtins.str"),
        (":nothing", "has no object nothing"),
    ],
)
def test_run_says_why_an_object_is_no_server(server: Path, name: str, why: str) -> None:
    said = command("run", f"{server}{name}", code=1).stderr
    assert said.startswith("mcpbolt: ") and why in said and "Traceback" not in said


def test_run_says_what_to_do_where_there_is_no_server(tmp_path: Path) -> None:
    empty = tmp_path / "empty.py"
    empty.write_text("x = 1")
    assert "say FILE:OBJECT" in command("run", str(empty), code=1).stderr
    assert "there is no file" in command("run", str(tmp_path / "none.py"), code=1).stderr
    assert "is not a file" in command("run", str(tmp_path), code=1).stderr


def test_an_address_needs_a_transport_that_has_one(server: Path) -> None:
    assert "--transport" in command("run", str(server), "--port", "1", code=1).stderr
    assert "invalid choice" in command("run", str(server), "-t", "pigeon", code=2).stderr


@pytest.fixture(params=["streamable-http", "sse"])
def listening(request: pytest.FixtureRequest, server: Path, port: int) -> Iterator[tuple[str, int]]:
    transport: str = request.param
    process = subprocess.Popen(
        [sys.executable, "-m", "mcpbolt", "run", str(server), "-t", transport, "--host", "127.0.0.1", "--port", str(port)],
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr
    try:
        # Both transports say where they listen.
        while str(port) not in (line := process.stderr.readline()):
            assert line, "the server ended"
        yield transport, port
        process.send_signal(signal.SIGTERM)
        assert process.wait(LIMIT) in (143, -signal.SIGTERM)
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


def test_run_serves_http_at_an_address(listening: tuple[str, int]) -> None:
    transport, port = listening
    url = f"http://127.0.0.1:{port}"
    if transport == "sse":
        with httpx.Client(timeout=LIMIT) as client, client.stream("GET", f"{url}/sse") as stream:
            assert next(stream.iter_lines()) == "event: endpoint"
    else:
        accept = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
        reply = httpx.post(f"{url}/mcp", content=HELLO, headers=accept, timeout=LIMIT)
        assert reply.status_code == 200 and '"weather"' in reply.text


# dev


def test_dev_starts_the_inspector_on_this_interpreter(server: Path, home: Path, tmp_path: Path) -> None:
    put(tmp_path / "bin", "npx")
    put(tmp_path / "bin", "uv")
    arguments: list[Any] = json.loads(command("dev", f"{server}:other").stdout)
    assert arguments[0] == "@modelcontextprotocol/inspector"
    assert arguments[1:] == [sys.executable, "-m", "mcpbolt", "run", f"{server}:other"]


def test_packages_are_laid_over_this_environment(server: Path, home: Path, tmp_path: Path) -> None:
    put(tmp_path / "bin", "npx")
    put(tmp_path / "bin", "uv")
    arguments: list[Any] = json.loads(command("dev", str(server), "--with", "numpy").stdout)
    over = ["run", "--no-project", "--python", sys.executable, "--with", "numpy", "--with", "pandas"]
    assert arguments[1:] == [str(tmp_path / "bin" / "uv"), *over, "python", "-m", "mcpbolt", "run", str(server)]


def test_dev_without_uv_says_how_to_install_packages(server: Path, home: Path, tmp_path: Path) -> None:
    put(tmp_path / "bin", "npx")
    said = command("dev", str(server), code=1).stderr
    assert "need uv" in said and f"{sys.executable} -m pip install pandas" in said


def test_dependencies_that_are_installed_need_no_uv(home: Path, tmp_path: Path) -> None:
    put(tmp_path / "bin", "npx")
    file = tmp_path / "server.py"
    file.write_text(SERVER.replace("pandas", "pytest>=1"))
    assert json.loads(command("dev", str(file)).stdout)[1] == sys.executable


def test_dev_says_what_is_missing(server: Path, home: Path) -> None:
    assert "install Node.js" in command("dev", f"{server}:other", code=1).stderr


def test_dev_ends_as_the_inspector_does(server: Path, home: Path, tmp_path: Path) -> None:
    put(tmp_path / "bin", "npx")
    put(tmp_path / "bin", "uv")
    command("dev", f"{server}:other", "--with", "fail", code=3)


# install


def config(home: Path) -> dict[str, Any]:
    return json.loads((home / "claude_desktop_config.json").read_text())


def test_install_writes_one_entry_and_leaves_the_rest(server: Path, home: Path, tmp_path: Path) -> None:
    put(tmp_path / "bin", "uv")
    before = {"theme": "dark", "mcpServers": {"mine": {"command": "x"}}}
    (home / "claude_desktop_config.json").write_text(json.dumps(before))
    command("install", str(server), "--with", "numpy")
    written = config(home)
    assert written["theme"] == "dark" and written["mcpServers"]["mine"] == {"command": "x"}
    over = ["run", "--no-project", "--python", sys.executable, "--with", "numpy", "--with", "pandas"]
    arguments = [*over, "python", "-m", "mcpbolt", "run", str(server)]
    assert written["mcpServers"]["weather"] == {"command": str(tmp_path / "bin" / "uv"), "args": arguments}


def test_install_without_uv_writes_a_command_that_runs(server: Path, home: Path) -> None:
    command("install", f"{server}:other", "--name", "named")
    entry = config(home)["mcpServers"]["named"]
    done = subprocess.run([entry["command"], *entry["args"]], capture_output=True, text=True, timeout=LIMIT, input=HELLO)
    assert json.loads(done.stdout)["result"]["serverInfo"]["name"] == "other", done.stderr


def test_nothing_asks_for_a_package_that_is_not_published(server: Path, home: Path, tmp_path: Path) -> None:
    put(tmp_path / "bin", "npx")
    put(tmp_path / "bin", "uv")
    command("install", str(server))
    shown = json.loads(command("dev", str(server)).stdout)
    for arguments in (config(home)["mcpServers"]["weather"]["args"], shown):
        assert all(after != "mcpbolt" for before, after in zip(arguments, arguments[1:]) if before == "--with")


def test_installing_again_keeps_variables_unless_new_ones_are_given(server: Path, home: Path, tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text('A="from file"\nB=file\n')
    command("install", str(server), "-n", "x", "-f", str(file), "-v", "B=line=with equals", "-v", "C=3")
    assert config(home)["mcpServers"]["x"]["env"] == {"A": "from file", "B": "line=with equals", "C": "3"}
    command("install", str(server), "-n", "x", "-v", "A=new")
    assert config(home)["mcpServers"]["x"]["env"] == {"A": "new", "B": "line=with equals", "C": "3"}
    assert "KEY=VALUE" in command("install", str(server), "-n", "x", "-v", "nonsense", code=1).stderr


def test_install_takes_the_name_of_a_file_it_cannot_import(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "needy.py"
    file.write_text("import there_is_no_such_module")
    assert "No module named 'there_is_no_such_module'" in command("install", str(file)).stderr
    assert list(config(home)["mcpServers"]) == ["needy"]


def test_a_broken_configuration_is_left_alone(server: Path, home: Path) -> None:
    (home / "claude_desktop_config.json").write_text("{broken")
    said = command("install", str(server), "-n", "x", code=1).stderr
    assert "claude_desktop_config.json" in said and "Traceback" not in said
    assert (home / "claude_desktop_config.json").read_text() == "{broken"


def test_a_host_that_is_named_is_guarded_as_if_the_file_had_named_it(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    code = "class Mine(FastMCP):\n    def run(self, transport):\n        print(self.settings.port, self.settings.guard())\n"
    file.write_text(f"from mcpbolt import FastMCP\n{code}mcp = Mine('x')\n")
    said = command("run", str(file), "-t", "http", "--host", "0.0.0.0", "--port", "8123").stdout
    assert said == "8123 None\n"
    assert "localhost" in command("run", str(file), "-t", "http", "--host", "::1").stdout


def test_install_says_that_the_app_is_not_there(server: Path, home: Path) -> None:
    home.rmdir()
    assert "not installed" in command("install", str(server), "-n", "x", code=1).stderr


@pytest.mark.parametrize(
    "spec, parts",
    [
        ("a.py", ("a.py", None)),
        ("a.py:b", ("a.py", "b")),
        ("C:\\a.py", ("C:\\a.py", None)),
        ("C:\\a.py:b", ("C:\\a.py", "b")),
    ],
)
def test_a_drive_letter_is_no_file(spec: str, parts: tuple[str, str | None]) -> None:
    assert split_spec(spec) == parts


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(LoadError, match=os.sep + "none.py"):
        parse_spec("none.py:app")


@pytest.mark.parametrize("page", ["README.md", "README.zh-CN.md"])
def test_commands_of_the_readme_are_understood(page: str) -> None:
    text = (Path(__file__).parents[2] / page).read_text(encoding="utf-8")
    # The others are those of the command in Rust, which its own tests run.
    lines = re.findall(r"^mcpbolt ((?:run|dev|install) \S+\.py\b.*?)(?:\s+#.*)?$", text, re.M)
    assert len(lines) == 3
    for line in lines:
        assert make_parser().parse_args(line.split()).verb is not None
    assert "python -m mcpbolt.compat -m my_server" in text
