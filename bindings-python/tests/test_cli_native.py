"""The part of the command that is the engine's, in this package: one program with `run` and the others."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from bounds import LIMIT
from mcpbolt.cli import main
from mcpbolt.cli._install import APPS
from ports import free_port
from terminal import Terminal

SERVER = '''
import asyncio, sys
from mcpbolt.server.fastmcp import Context, FastMCP
from pydantic import BaseModel

class Form(BaseModel):
    name: str

mcp = FastMCP("calculator")
other = FastMCP("other")

@mcp.tool()
def add(a: int, b: int) -> int:
    """Adds two numbers"""
    return a + b

@mcp.tool()
async def hang() -> str:
    """Never ends"""
    print("hanging", file=sys.stderr, flush=True)
    await asyncio.Event().wait()
    return ""

@mcp.tool()
async def ask(ctx: Context) -> str:
    """Asks for a name"""
    return (await ctx.elicit("Who are you?", Form)).data.name

if __name__ == "__main__":
    mcp.run(*sys.argv[1:])
'''
LISTED = "tool\tadd\tAdds two numbers\ntool\thang\tNever ends\ntool\task\tAsks for a name\n"
ENGINES = "list call read prompt ping watch bench check record replay inspect bridge install uninstall completions"


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    file = tmp_path / "server.py"
    file.write_text(SERVER)
    return file


def command(*arguments: str | Path, code: int = 0, way: tuple[str, ...] = ("-m", "mcpbolt")) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-W", "error", *way, *map(str, arguments)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=LIMIT, stdin=subprocess.DEVNULL)
    assert done.returncode == code, done
    return done


def test_there_is_one_list_of_verbs() -> None:
    shown = command("--help").stdout
    verbs = re.findall(r"^  (\w+)  ", shown, re.M)
    assert {*ENGINES.split(), "run", "dev", "version", "limits"} < set(verbs), shown
    assert command("help", "run").stdout == command("run", "--help").stdout
    assert "mcpbolt run is" not in shown and "run)" in command("completions", "bash").stdout


def test_the_command_of_the_package_is_the_same_program(server: Path) -> None:
    # What the file is that pip makes of the entry in pyproject.toml.
    script = ("-c", "import sys; from mcpbolt.cli import app; sys.argv[0] = 'mcpbolt'; sys.exit(app())")
    entry = re.search(r'^mcpbolt = "(.*)"$', (Path(__file__).parents[1] / "pyproject.toml").read_text(), re.M)
    assert entry and entry[1] == "mcpbolt.cli:app"
    for way in (script, ("-m", "mcpbolt"), ("-m", "mcpbolt.cli")):
        assert command("list", "--", sys.executable, server, way=way).stdout == LISTED


def test_a_server_is_a_file_an_object_in_it_or_a_command(server: Path) -> None:
    assert command("call", server, "add", "a=1", "b=2").stdout == "3\n"
    assert json.loads(command("list", "--json", f"{server}:mcp").stdout)["serverInfo"]["name"] == "calculator"
    assert json.loads(command("list", "--json", f"{server}:other").stdout)["serverInfo"]["name"] == "other"


@pytest.fixture
def url(server: Path) -> Iterator[str]:
    port = free_port()
    words = [sys.executable, "-m", "mcpbolt", "run", str(server), "-t", "http", "--port", str(port)]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    assert process.stderr
    try:
        while str(port) not in (line := process.stderr.readline()):
            assert line, "the server ended"
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


def test_a_server_is_reached_over_http(url: str) -> None:
    assert command("list", url).stdout == LISTED
    assert command("call", url, "add", "a=1", "b=2").stdout == "3\n"


def test_exit_codes_and_streams_are_those_of_the_program(server: Path) -> None:
    wrong = command("call", server, "ad", "a=1", code=2)
    assert wrong.stdout == "" and "did you mean add?" in wrong.stderr and "Traceback" not in wrong.stderr
    gone = command("ping", "--json", "http://127.0.0.1:1/mcp", code=3)
    assert json.loads(gone.stdout)["error"]["kind"] == "unreachable" and gone.stderr == ""
    assert "unrecognized subcommand" in command("lst", code=2).stderr
    assert "run is the first word" in command("--json", "run", server, code=2).stdout
    failed = command("call", server, "add", "--arguments", '{"a": "x"}', code=1)
    assert "validation" in failed.stdout + failed.stderr


# In this process


def test_the_interpreter_goes_on_meanwhile(url: str, capfd: pytest.CaptureFixture[str]) -> None:
    counted, over = [0], threading.Event()

    def count() -> None:
        while not over.is_set():
            counted[0] += 1
            over.wait(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    try:
        before = counted[0]
        assert main(["bench", url, "--duration", "300ms", "--json"]) == 0
        # Once held, the interpreter's lock would let it count two at the most.
        assert counted[0] - before > 10
    finally:
        over.set()
        counter.join()
    assert json.loads(capfd.readouterr().out)["answers"] > 0


@pytest.mark.skipif(sys.platform == "win32", reason="the console tells the command itself")
def test_signals_are_the_programs_again_afterwards(capfd: pytest.CaptureFixture[str]) -> None:
    def mine(*_: Any) -> None: ...

    before = [signal.signal(number, mine) for number in (signal.SIGINT, signal.SIGTERM)]
    try:
        assert main(["--version"]) == 0
        assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == [mine, mine]
        assert signal.set_wakeup_fd(-1) == -1
    finally:
        for number, handler in zip((signal.SIGINT, signal.SIGTERM), before):
            signal.signal(number, handler)
    assert capfd.readouterr().out.startswith("mcpbolt ")


def test_it_runs_on_other_threads_too(capfd: pytest.CaptureFixture[str]) -> None:
    codes: list[int] = []
    thread = threading.Thread(target=lambda: codes.append(main(["check", "--rules"])))
    thread.start()
    thread.join(LIMIT)
    assert codes == [0] and "hidden-text" in capfd.readouterr().out


TWICE = """
    import os, signal, sys
    from mcpbolt.cli import main
    for _ in range(2):
        print(main(["call", sys.argv[1], "hang"]), flush=True)
    try:
        os.kill(os.getpid(), signal.SIGINT)
    except KeyboardInterrupt:
        print("again mine", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="it sends signals")
def test_ctrl_c_ends_each_run_and_is_the_interpreters_again(server: Path) -> None:
    words = [sys.executable, "-W", "error", "-c", textwrap.dedent(TWICE), str(server)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout and process.stderr
    try:
        for _ in range(2):
            while "hanging" not in (line := process.stderr.readline()):
                assert line, "the server ended"
            process.send_signal(signal.SIGINT)
            assert process.stdout.readline() == "130\n"
        assert process.stdout.readline() == "again mine\n"
        assert process.wait(LIMIT) == 0
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()


ENDS = [(signal.SIGINT, 130), (signal.SIGTERM, 143)]
if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
    # Where these tests outlive their terminal, so does the command.
    ENDS.append((signal.SIGHUP, 129))


@pytest.mark.skipif(sys.platform == "win32", reason="it sends signals")
@pytest.mark.parametrize("number, code", ENDS)
def test_a_signal_ends_the_command(server: Path, number: signal.Signals, code: int) -> None:
    words = [sys.executable, "-m", "mcpbolt", "call", str(server), "hang"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr
    while "hanging" not in (line := process.stderr.readline()):
        assert line, "the server ended"
    process.send_signal(number)
    _, said = process.communicate(timeout=LIMIT)
    assert process.returncode == code and "Traceback" not in said


@pytest.mark.skipif(sys.platform == "win32", reason="it sends signals")
def test_a_verb_without_an_end_of_its_own_is_ended_at_once(server: Path, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "mcpbolt", "record", str(tmp_path / "session.jsonl"), "--", sys.executable, str(server)]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin and process.stdout
    process.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    process.stdin.flush()
    assert '"id":1' in process.stdout.readline()
    process.send_signal(signal.SIGINT)
    assert process.wait(LIMIT) == 130
    process.stdin.close()
    process.stdout.close()


# In a terminal


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX's")
def test_a_person_is_asked_and_can_leave(server: Path) -> None:
    with Terminal("-m", "mcpbolt", "call", str(server), "ask") as terminal:
        terminal.sees("Answer?")
        terminal.type("\r")
        terminal.sees("Name")
        terminal.type("Ada\r")
        terminal.sees("Send this?")
        terminal.type("\r")
        assert terminal.end().rstrip().endswith("Ada")
    with Terminal("-m", "mcpbolt", "call", str(server), "ask") as terminal:
        terminal.sees("Answer?")
        terminal.reads_keys()
        terminal.type("\x03")
        assert "Traceback" not in terminal.end(130)


# install


def settings(tmp_path: Path) -> dict[str, Any]:
    return json.loads((tmp_path / "settings.json").read_text())["mcpServers"]


def test_apps_are_those_of_the_engine() -> None:
    shown = command("install", "--help").stdout
    assert tuple(re.findall(r"^\s+- (\w+): ", shown, re.M))[: len(APPS)] == APPS
    for option in ("--with PACKAGE", "--with-editable FOLDER", "--env-file FILE", "--env", "--dry-run", "--project"):
        assert option in shown


def test_a_file_is_a_program_for_any_app(server: Path, tmp_path: Path) -> None:
    at = ("--file", tmp_path / "settings.json")
    shown = command("install", "cursor", server, *at, "-n", "plain", "--env-var", "A=1").stdout
    assert '+      "command"' in shown and "done; " in shown
    assert settings(tmp_path)["plain"] == {"command": sys.executable, "args": [str(server)], "env": {"A": "1"}}
    command("install", *at, "zed", server, code=0)


def test_an_object_is_run_by_this_command(server: Path, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("B=2\n")
    at = ("--file", tmp_path / "settings.json")
    command("install", "cursor", f"{server}:other", *at, "-f", tmp_path / ".env", "-v", "A=1")
    entry = settings(tmp_path)["other"]
    assert entry == {"command": sys.executable, "args": ["-m", "mcpbolt", "run", f"{server}:other"], "env": {"B": "2", "A": "1"}}
    again = command("install", f"{server}:other", *at, "--dry-run").stdout
    assert "nothing is to be changed" in again
    assert "server other" not in command("uninstall", "cursor", "other", *at).stderr
    assert settings(tmp_path) == {}


def test_a_url_is_reached_by_this_command_where_the_app_cannot(server: Path, tmp_path: Path) -> None:
    at = ("--file", tmp_path / "settings.json")
    command("install", "claude", "https://example.com/mcp", "--name", "web", *at)
    assert settings(tmp_path)["web"] == {"command": sys.executable, "args": ["-m", "mcpbolt", "bridge", "https://example.com/mcp"]}


def test_install_says_what_makes_no_sense(server: Path) -> None:
    said = command("install", "cursor", "https://example.com/mcp", "--with", "numpy", code=2).stderr
    assert said == "mcpbolt: --with and --with-editable are for servers in Python files\n"
    document = command("install", "cursor", "gone.py", "--json", code=2).stdout
    assert "there is no file" in json.loads(document)["error"]["message"]
    assert command("install", "gone.py", code=1).stderr.startswith("mcpbolt: there is no file")
    assert "possible values: claude" in command("install", "windows", server.parent, code=2).stderr
    assert os.listdir(server.parent) == ["server.py"]
