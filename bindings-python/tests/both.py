"""The same program on both packages: on this one under the alias of 2.x, and on the official one,
2.3.0.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from bounds import START
from peer import MODERN

BEGIN = """
import json, logging, warnings
import anyio, mcp_types as t
from mcp import Client, MCPError
from mcp.server.mcpserver import Context, MCPServer

warnings.simplefilter("ignore")

def about(error):
    cause = error.__cause__
    return [type(error).__name__, str(error), None if cause is None else type(cause).__name__]

async def raised(work):
    try:
        found = await work
    except Exception as error:
        return about(error)
    return type(found).__name__

def refused(kind, **members):
    try:
        kind(**members)
    except Exception as error:
        return type(error).__name__

def question():
    asked = t.ElicitRequestFormParams(message="?", requested_schema={"type": "object", "properties": {}})
    return t.InputRequiredResult(input_requests={"q": t.ElicitRequest(params=asked)}, request_state="s")

def run(main):
    print(json.dumps(anyio.run(main)))
"""


def answers(program: str) -> tuple[Any, Any]:
    """What a program prints here and there, as JSON."""
    return ours(program), _answer_of(MODERN, "-c", BEGIN + program)


def ours(program: str) -> Any:
    """What a program prints here, as JSON."""
    return _answer_of(sys.executable, "-m", "mcpbolt.compat", "--api", "2", "-c", BEGIN + program)


def _answer_of(*command: str) -> Any:
    done = subprocess.run(command, capture_output=True, text=True, timeout=START)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
