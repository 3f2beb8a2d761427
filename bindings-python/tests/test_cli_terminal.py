"""The command in a terminal, on the README's server: a file that runs its server, whoever reads it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from bounds import LIMIT
from terminal import Terminal

if sys.platform == "win32":
    pytest.skip("pseudo-terminals are POSIX's", allow_module_level=True)

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
HELLO = (
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",'
    '"capabilities":{},"clientInfo":{"name":"c","version":"1"}}}\n'
)
OVER = "mcpbolt: run() in server.py is passed over: "


@pytest.fixture
def server(tmp_path: Path) -> Path:
    code = re.search(r"A server, `server.py`:\n\n<!-- newcomer: file=server.py -->\n```python\n(.*?)```", README, re.S)
    assert code and code[1].rstrip().endswith("\n\nmcp.run()")
    file = tmp_path / "server.py"
    file.write_text(code[1])
    return file


def answer(shown: str) -> Any:
    """The reply among what was typed and told."""
    return next(json.loads(line) for line in shown.splitlines() if line.startswith('{"jsonrpc"') and '"result"' in line)


def test_run_serves_a_file_that_runs_itself_once(server: Path) -> None:
    with Terminal("-m", "mcpbolt", "run", str(server)) as terminal:
        terminal.until("Ctrl-C ends it")
        terminal.type(HELLO)
        shown = terminal.until('"serverInfo"')
        assert answer(shown)["result"]["serverInfo"]["name"] == "calculator"
        assert shown.count(OVER + "this command serves it over stdio") == 1
        assert "`mcpbolt dev server.py` (the MCP Inspector)" in shown and 'mcp.run(transport="http")' in shown
        terminal.process.send_signal(signal.SIGINT)
        assert "Traceback" not in terminal.end(130)


def test_a_server_started_by_hand_says_what_it_waits_for(server: Path) -> None:
    with Terminal(str(server)) as terminal:
        shown = terminal.until("Ctrl-C ends it")
        assert shown.count("\n") == 1 and shown.startswith("server.py speaks MCP over stdio")
        terminal.type(HELLO)
        assert answer(terminal.until('"serverInfo"'))
        terminal.type("\x04")
        terminal.end()


def test_a_server_that_a_client_starts_says_nothing(server: Path) -> None:
    done = subprocess.run([sys.executable, str(server)], input=HELLO, capture_output=True, text=True, timeout=LIMIT)
    assert answer(done.stdout) and done.stderr == ""


@pytest.mark.parametrize("transport", ["streamable-http", "http"])
def test_run_serves_it_over_http(server: Path, transport: str, port: int) -> None:
    with Terminal("-m", "mcpbolt", "run", str(server), "-t", transport, "--port", str(port)) as terminal:
        terminal.until(f":{port}/mcp")
        headers = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
        reply = httpx.post(f"http://127.0.0.1:{port}/mcp", content=HELLO, headers=headers, timeout=LIMIT)
        assert '"calculator"' in reply.text
        terminal.process.send_signal(signal.SIGINT)
        assert "Traceback" not in terminal.end(130)


def test_dev_and_install_do_not_wait_for_a_client(server: Path, tmp_path: Path) -> None:
    npx = tmp_path / "bin" / "npx"
    npx.parent.mkdir()
    npx.write_text('#!/bin/sh\necho "$@"\n')
    npx.chmod(0o755)
    env = {"PATH": f"{npx.parent}:{os.environ['PATH']}", "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    folder = tmp_path / "Claude"
    if sys.platform == "darwin":
        folder = tmp_path / "Library" / "Application Support" / "Claude"
    folder.mkdir(parents=True)
    with Terminal("-m", "mcpbolt", "dev", str(server), env=env) as terminal:
        shown = terminal.end()
        assert OVER + "the Inspector starts it" in shown and f"{sys.executable} -m mcpbolt run {server}" in shown
    with Terminal("-m", "mcpbolt", "install", str(server), env=env) as terminal:
        assert OVER + "the app starts it" in terminal.end()
    entry = json.loads((folder / "claude_desktop_config.json").read_text())["mcpServers"]["calculator"]
    assert entry == {"command": sys.executable, "args": ["-m", "mcpbolt", "run", str(server)]}


def test_a_loop_of_the_files_own_is_passed_over_too(server: Path) -> None:
    server.write_text(server.read_text().replace("mcp.run()", "import asyncio\nasyncio.run(mcp.run_stdio_async())"))
    done = subprocess.run(
        [sys.executable, "-m", "mcpbolt", "run", str(server)], input=HELLO, capture_output=True, text=True, timeout=LIMIT
    )
    assert answer(done.stdout) and done.stderr.startswith(OVER)


def test_the_version_is_shown_by_an_option() -> None:
    with Terminal("-m", "mcpbolt", "--version") as terminal:
        assert re.fullmatch(r"mcpbolt \d+\.\d+\.\d+\S*\n", terminal.end())
