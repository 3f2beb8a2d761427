"""Chapter core-architecture."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

import mcpbolt

# [guide]
import asyncio

from mcpbolt import Client
from mcpbolt.server.fastmcp import FastMCP

server = FastMCP("calculator")


@server.tool()
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


async def main() -> None:
    async with Client(server) as client:
        print(f"{client.server_info.name} speaks {client.protocol_version}")
        result = await client.call_tool("add", {"a": 1, "b": 2})
        assert result.structuredContent == {"result": 3}


if __name__ == "__main__":
    asyncio.run(main())
# [end]


def test_server_and_client_in_one_process(capsys) -> None:
    asyncio.run(asyncio.wait_for(main(), 60))
    assert capsys.readouterr().out == "calculator speaks 2026-07-28\n"


# [guide]
from mcpbolt import Host


async def use(config: str) -> None:
    async with Host.from_file(config) as host:
        for name, error in host.failures.items():
            print(f"{name} is left out: {error}")
        for tool in host.tools:
            print(f"{tool.name} of {tool.server}: {tool.tool.description}")
        result = await host.call_tool("add", {"a": 1, "b": 2})
        assert result.structuredContent == {"result": 3}
# [end]


def test_servers_of_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    config = tmp_path / "mcp.json"
    program = "import test_guide_core_architecture as it; it.server.run()"
    folder, package = Path(__file__).parent, Path(mcpbolt.__file__).parent.parent
    environment = {"PYTHONPATH": os.pathsep.join([str(folder), str(package)])}
    calculator = {"command": sys.executable, "args": ["-c", program], "env": environment}
    config.write_text(json.dumps({"mcpServers": {"calculator": calculator, "none": {"command": "/nowhere"}}}))
    asyncio.run(asyncio.wait_for(use(str(config)), 60))
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("none is left out: ") and said[1:] == ["add of calculator: Adds two numbers."]
