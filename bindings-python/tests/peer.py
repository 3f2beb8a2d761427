"""Servers on the official packages, for tests of the client."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import anyio
import pytest
from bounds import LIMIT, START
from ports import free_port

import mcpbolt
from mcpbolt import StdioServerParameters

FOLDER = Path(__file__).parent / "peers"
# An interpreter that has the official package 2.x.
MODERN = os.environ.get("MCPBOLT_TEST_PYTHON_MCP2", "")
T = TypeVar("T")


async def soon(work: Awaitable[T], limit: float = LIMIT) -> T:
    """The result, unless it takes too long."""
    with anyio.fail_after(limit):
        return await work


def official() -> None:
    """Skip where the official package is not 1.x."""
    types = pytest.importorskip("mcp.types", reason="the official package is not installed")
    if types.LATEST_PROTOCOL_VERSION != "2025-11-25":
        pytest.skip("the official package is not 1.30", allow_module_level=True)


def legacy_command(*arguments: str) -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable, args=[str(FOLDER / "official_server.py"), *(arguments or ("stdio",))]
    )


def own_command() -> StdioServerParameters:
    """A server on this package, found where this one was."""
    path = str(Path(mcpbolt.__file__).parent.parent)
    return StdioServerParameters(
        command=sys.executable, args=[str(FOLDER / "own_server.py")], env={"PYTHONPATH": path}
    )


def modern_command(*arguments: str) -> StdioServerParameters:
    if not MODERN:
        pytest.skip("MCPBOLT_TEST_PYTHON_MCP2 names no interpreter with the official package 2.x")
    return StdioServerParameters(
        command=MODERN, args=[str(FOLDER / "official_modern.py"), *(arguments or ("stdio",))]
    )


@contextmanager
def serving(command: StdioServerParameters, *arguments: str) -> Iterator[int]:
    """Run a peer on a free port."""
    port = free_port()
    words = [command.command, command.args[0], *arguments, str(port)]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    watchdog = threading.Timer(START, process.kill)
    watchdog.start()
    try:
        said = []
        for line in process.stderr:
            said.append(line)
            if "Uvicorn running" in line:
                break
        else:
            raise AssertionError(f"the peer ended: {''.join(said)}")
        watchdog.cancel()
        yield port
    finally:
        watchdog.cancel()
        process.kill()
        process.wait(LIMIT)
        process.stderr.close()


def text(result: Any) -> str:
    return result.content[0].text
