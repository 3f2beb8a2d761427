"""The examples of fastmcp 4 on `mcpbolt.compat --api 2`, beside the official package.

Downloads the source of the release (`fastmcp-4-sdist.txt`), imports every example on either, asks
each server in it in both eras for what it lists, and ends with 0 if the answers are the same and
enough servers were asked. The interpreter has the release, the official package and mcpbolt.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from suite import HERE, PACKAGE, Suite, unpack

# What needs keys, devices or packages that are not here cannot be imported on either.
LEAST = 50
SECONDS = 600

PROGRAM = """
import asyncio, importlib.util, json, sys
from pathlib import Path
from fastmcp import Client, FastMCP

root, said = Path(sys.argv[1]), {}

def servers(path):
    spec = importlib.util.spec_from_file_location(f"example_{path.stem.replace('-', '_')}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return [value for value in vars(module).values() if isinstance(value, FastMCP)]

async def listed(server, mode):
    async with Client(server, mode=mode) as client:
        return [
            client.protocol_version,
            sorted(tool.name for tool in await client.list_tools()),
            sorted(str(resource.uri) for resource in await client.list_resources()),
            sorted(template.uri_template for template in await client.list_resource_templates()),
            sorted(prompt.name for prompt in await client.list_prompts()),
        ]

async def main():
    for path in sorted(root.rglob("*.py")):
        sys.path.insert(0, str(path.parent))
        try:
            found = [[await listed(server, mode) for mode in ("auto", "legacy")] for server in servers(path)]
        except (Exception, SystemExit) as error:
            found = type(error).__name__
        sys.path.pop(0)
        said[path.relative_to(root).as_posix()] = found
    print("\\n" + json.dumps(said))

asyncio.run(main())
"""


def asked(root: Path, *alias: str) -> dict[str, Any]:
    """What the servers of each example list, or why it cannot be imported."""
    paths = [root / "fastmcp_slim", root / "fastmcp_tasks", PACKAGE]
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ}
    done = subprocess.run(
        [sys.executable, *alias, "-c", PROGRAM, str(root / "examples")],
        env={**kept, "PYTHONPATH": os.pathsep.join(map(str, paths))},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    said: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return said


def main() -> int:
    suite = Suite(
        name="fastmcp",
        pin=HERE / "fastmcp-4-sdist.txt",
        known=HERE / "fastmcp-4-known.txt",
        wanted=("examples", "fastmcp_slim", "fastmcp_tasks"),
    )
    with tempfile.TemporaryDirectory() as folder:
        root = unpack(suite, Path(folder))
        theirs, ours = asked(root), asked(root, "-m", "mcpbolt.compat", "--api", "2")
    other = [name for name in theirs if ours.get(name) != theirs[name]]
    for name in other:
        print(f"{name}: {ours.get(name)} here, {theirs[name]} on the official package")
    asked_of = sum(len(found) for found in theirs.values() if isinstance(found, list))
    print(f"fastmcp 4: {asked_of} servers of {len(theirs)} examples were asked")
    return 1 if other or asked_of < LEAST else 0


sys.exit(main())
