"""One program on `mcpbolt.v2`, imported as any package, and on the official package 2.3.0."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from typing import Any

import pytest
from bounds import START
from peer import MODERN

BEGIN = """
import json, sys, warnings
import anyio
from typing import Annotated
from pydantic import BaseModel, RootModel
{paths}
{types}
from {top} import Client, MCPError
from {top}.server.mcpserver import Audio, Context, Image, MCPServer
from {top}.server.mcpserver.prompts.base import AssistantMessage, UserMessage
from {top}.server.mcpserver.resources import FileResource, FunctionResource, HttpResource, TextResource

warnings.simplefilter("ignore")

def raised(work):
    try:
        return work()
    except Exception as error:
        return type(error).__name__

def shown(block):
    return getattr(block, "text", block.type)

async def each(mcp, ask, names, **options):
    async with Client(mcp, **options) as client:
        return {{name: await ask(client, name) for name in names}}

def run(main):
    print(json.dumps(anyio.run(main)))
"""
_OURS = {"top": "mcpbolt.v2", "types": "from mcpbolt.v2 import types as t"}
_OFFICIAL = {"top": "mcp", "types": "import mcp_types as t", "paths": ""}

# It is lent by the interpreter of the official package, and takes no older Python than 3.11.
with_httpx2 = pytest.mark.skipif(
    not MODERN or sys.version_info < (3, 11),
    reason="needs Python 3.11, and in MCPBOLT_TEST_PYTHON_MCP2 an interpreter that has httpx2",
)


@functools.cache
def httpx2_paths() -> tuple[str, ...]:
    """Where the interpreter of the official package has `httpx2`."""
    assert MODERN
    words = "import json, os, httpx2; print(json.dumps([os.path.dirname(os.path.dirname(httpx2.__file__))]))"
    return tuple(_answer_of(MODERN, "-c", words))


def ours(program: str, paths: tuple[str, ...] = ()) -> Any:
    """What the program prints on this package, read as JSON. `paths` are searched for packages last."""
    words = BEGIN.format(**_OURS, paths=f"sys.path += {list(paths)!r}")
    return _answer_of(sys.executable, "-c", words + program.replace("{top}", _OURS["top"]))


def official(program: str) -> Any:
    """What it prints on the official package."""
    return _answer_of(MODERN, "-c", BEGIN.format(**_OFFICIAL) + program.replace("{top}", _OFFICIAL["top"]))


def _answer_of(*command: str) -> Any:
    done = subprocess.run(command, capture_output=True, text=True, timeout=START)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
