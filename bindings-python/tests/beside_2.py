"""One program under the alias of 2.x, and on the official package 2.3.0."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from bounds import START
from peer import MODERN

BEGIN = """
import json, warnings
import anyio, mcp_types as t
from mcp import Client, ClientSession, MCPError
from mcp.client.extension import ClientExtension, ResultClaim, advertise
from mcp.server import Server
from mcp.server.mcpserver import Context, MCPServer
from mcp.shared.exceptions import NoBackChannelError

warnings.simplefilter("ignore")

def about(error):
    inner = getattr(error, "exceptions", None)
    if inner:
        return [type(error).__name__, *[about(one) for one in inner]]
    shown = type(error).__name__
    return [shown, error.code, error.message] if isinstance(error, MCPError) else [shown]

async def raised(work):
    try:
        return await work
    except BaseException as error:
        return about(error)

def run(main):
    print(json.dumps(anyio.run(main)))
"""


def _answer_of(*command: str) -> Any:
    done = subprocess.run(command, capture_output=True, text=True, timeout=START)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def ours(program: str) -> Any:
    """What the program prints on this package, read as JSON."""
    return _answer_of(sys.executable, "-m", "mcpbolt.compat", "--api", "2", "-c", BEGIN + program)


def official(program: str) -> Any:
    """What it prints on the official package."""
    assert MODERN is not None
    return _answer_of(MODERN, "-c", BEGIN + program)
