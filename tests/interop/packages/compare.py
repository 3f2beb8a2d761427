"""The same visits to the same unmodified packages of others twice: on the official packages 2.x,
and on mcpbolt under their names. What is seen has to be the same: over each transport that a
package has, in both eras.

    python compare.py [NAME]

The interpreter has the packages, the official ones and mcpbolt.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[2] / "bindings-python/tests"))
from ports import free_port  # noqa: E402

SECONDS = 150
# How long messages are awaited that the official package sent.
MESSAGE_SECONDS = 10
# How often a server that is starting is tried.
TRIES = 8
OFFICIAL: tuple[str, ...] = ()
OURS = ("-m", "mcpbolt.compat", "--api", "2")
QUIET = {
    "PYTHONWARNINGS": "ignore",
    "PYTHONDONTWRITEBYTECODE": "1",
    # So that a commit has the same name each time.
    "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
}
# What is different each time.
NUMBERS = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
TIMES = re.compile(r"\d{4}-\d\d-\d\d([T ])\d\d:\d\d:\d\d(\.\d+)?([+-]\d\d:\d\d|Z)?")


class Program(NamedTuple):
    """A package, what starts it, and what it is asked for if it is a server. `{folder}` is a git
    repository with `note.txt`, `{port}` that of a web server with it.
    """

    package: str
    start: tuple[str, ...]
    transports: tuple[str, ...] = ("stdio",)
    calls: tuple[tuple[str, dict[str, Any]], ...] = ()
    is_client: bool = False
    # Named ones, because asking which there is gives up on a server that starts slowly.
    eras: tuple[str, ...] = ("legacy", "2026-07-28")
    # Known differences: the era, and where.
    otherwise: tuple[tuple[str, str], ...] = ()


REPOSITORY = {"repo_path": "{folder}"}
PROGRAMS = (
    Program(
        "mcp-server-time",
        ("-m", "mcp_server_time", "--local-timezone", "UTC"),
        calls=(
            ("get_current_time", {"timezone": "UTC"}),
            ("get_current_time", {"timezone": "Nowhere/At_All"}),
            ("get_current_time", {"timezone": 1}),
            ("get_current_time", {}),
            ("convert_time", {"source_timezone": "UTC", "time": "12:30", "target_timezone": "Asia/Kathmandu"}),
            ("convert_time", {"source_timezone": "UTC", "time": "noon", "target_timezone": "UTC"}),
            ("no_such_tool", {}),
        ),
    ),
    Program(
        "mcp-server-git",
        ("-m", "mcp_server_git", "--repository", "{folder}"),
        calls=(
            ("git_status", REPOSITORY),
            ("git_add", {**REPOSITORY, "files": ["note.txt"]}),
            ("git_add", {**REPOSITORY, "files": []}),
            ("git_diff_staged", REPOSITORY),
            ("git_commit", {**REPOSITORY, "message": "One\n\nwörds"}),
            ("git_log", {**REPOSITORY, "max_count": 1}),
            ("git_show", {**REPOSITORY, "revision": "no-such-revision"}),
            ("git_branch", {**REPOSITORY, "branch_type": "local"}),
            ("git_status", {"repo_path": "/"}),
            ("git_status", {}),
            ("no_such_tool", {}),
        ),
    ),
    Program(
        "mcp-server-fetch",
        ("-m", "mcp_server_fetch", "--allow-private-ips"),
        calls=(
            ("fetch", {"url": "http://127.0.0.1:{port}/note.txt"}),
            ("fetch", {"url": "http://127.0.0.1:{port}/note.txt", "raw": True, "max_length": 2}),
            ("fetch", {"url": "http://127.0.0.1:{port}/none.txt"}),
            ("fetch", {"url": "http://127.0.0.1:{port}/note.txt", "raw": "yes"}),
            ("fetch", {"url": "no url"}),
            ("no_such_tool", {}),
        ),
    ),
    Program(
        "llama-index-tools-mcp, server",
        (str(HERE / "llama_index_server.py"),),
        transports=("stdio", "http"),
        calls=(
            ("greet", {"run_args": {"who": "Ada"}}),
            ("greet", {"run_args": {"who": ""}}),
            ("greet", {"run_args": {}}),
            ("greet", {}),
            ("no_such_tool", {}),
        ),
    ),
    Program(
        "agent-framework-core, server",
        (str(HERE / "agent_framework_server.py"),),
        transports=("stdio", "http"),
        calls=(
            ("echoing", {"task": "grüße"}),
            ("echoing", {"task": 1}),
            ("echoing", {}),
            ("no_such_tool", {}),
        ),
    ),
    Program("llama-index-tools-mcp, client", (str(HERE / "llama_index_client.py"),), ("stdio", "http"), (), True, ("legacy",)),
    Program("agent-framework-core, client", (str(HERE / "agent_framework_client.py"),), ("stdio", "http"), (), True),
    Program("agno, client", (str(HERE / "agno_client.py"),), ("stdio", "http"), (), True, ("legacy",)),
)


async def outcome(work: Awaitable[Any]) -> Any:
    """What came of a request, errors included."""
    try:
        return (await work).model_dump(mode="json", by_alias=True, exclude_none=True)
    except MCPError as error:
        return {"error": error.error.model_dump(mode="json", exclude_none=True)}


@asynccontextmanager
async def listening(command: list[str]) -> AsyncIterator[int]:
    """A program that listens on the port that its last argument names."""
    port = free_port()
    with subprocess.Popen(
        [*command, str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, **QUIET}
    ) as child:
        try:
            # Each of them waits twice as long as the one before.
            patient = httpx2.AsyncHTTPTransport(retries=TRIES)
            async with httpx2.AsyncClient(transport=patient, timeout=SECONDS) as client:
                await client.get(f"http://127.0.0.1:{port}/")
            yield port
        finally:
            child.kill()


async def opened(client: Client) -> Any:
    """What the server says of itself."""
    return client.session.initialize_result or await client.session.discover()


async def visit(target: Any, mode: str, calls: list[tuple[str, dict[str, Any]]], awaited: int) -> dict[str, Any]:
    """Everything that an official client sees of a server. Over HTTP a message of the log may come
    by another connection than the answer after it: so many are awaited, for a while, before it leaves.
    """
    messages: list[Any] = []
    enough = asyncio.Event()

    async def on_log(params: Any) -> None:
        messages.append(params.model_dump(mode="json", by_alias=True, exclude_none=True))
        if len(messages) >= awaited:
            enough.set()

    async with Client(target, mode=mode, logging_callback=on_log) as client:
        seen: dict[str, Any] = {
            "revision": client.protocol_version,
            "opened": await outcome(opened(client)),
            "tools": await outcome(client.list_tools()),
            "resources": await outcome(client.list_resources()),
            "templates": await outcome(client.list_resource_templates()),
            "prompts": await outcome(client.list_prompts()),
            "no such prompt": await outcome(client.get_prompt("no_such_prompt")),
            "no such resource": await outcome(client.read_resource("test://none")),
        }
        for prompt in seen["prompts"].get("prompts", []):
            for given in ({}, {each["name"]: "http://127.0.0.1:1/" for each in prompt.get("arguments", [])}):
                seen[f"prompt {prompt['name']} {json.dumps(given)}"] = await outcome(client.get_prompt(prompt["name"], given))
        for name, arguments in calls:
            seen[f"{name} {json.dumps(arguments)}"] = await outcome(client.call_tool(name, arguments))
        if awaited:
            with suppress(TimeoutError):
                await asyncio.wait_for(enough.wait(), MESSAGE_SECONDS)
    # Those that nobody is sure to see before the answer are in no order.
    seen["messages"] = sorted(messages, key=json.dumps)
    return seen


async def serve_and_visit(
    first: tuple[str, ...], program: Program, transport: str, era: str, fill: Any, awaited: int
) -> dict[str, Any]:
    command = [sys.executable, *first, *(fill(word) for word in program.start)]
    calls = [(name, json.loads(fill(json.dumps(arguments)))) for name, arguments in program.calls]
    if transport == "http":
        async with listening([*command, "--http"]) as port:
            return await visit(f"http://127.0.0.1:{port}/mcp", era, calls, awaited)
    parameters = StdioServerParameters(command=command[0], args=command[1:], env=QUIET)
    with open(os.devnull, "w") as nowhere:
        return await visit(stdio_client(parameters, errlog=nowhere), era, calls, awaited)


async def run_client(first: tuple[str, ...], program: Program, transport: str, era: str) -> dict[str, Any]:
    """What a client prints that it saw of the official server beside."""
    command = [sys.executable, *first, *program.start, "--era", era]
    peer = [sys.executable, str(HERE / "peer.py")]

    async def ran(*target: str) -> dict[str, Any]:
        child = await asyncio.create_subprocess_exec(
            *command, *target, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, **QUIET}
        )
        said, noise = await child.communicate()
        if child.returncode != 0:
            raise RuntimeError(f"ended with {child.returncode}: {noise.decode()[-3000:]}")
        seen: dict[str, Any] = json.loads(said)
        return seen

    if transport == "http":
        async with listening([*peer, "--http"]) as port:
            return await ran(f"http://127.0.0.1:{port}/mcp")
    return await ran("--", *peer)


async def seen_by(first: tuple[str, ...], program: Program, transport: str, era: str, awaited: int = 0) -> Any:
    with TemporaryDirectory() as name:
        folder = Path(name).resolve() / "folder"
        folder.mkdir()
        (folder / "note.txt").write_text("kept\n")
        for words in (("init", "-q", "-b", "main"), ("config", "user.name", "Ada"), ("config", "user.email", "ada@example.com")):
            subprocess.run(("git", *words), cwd=folder, check=True)
        if program.is_client:
            seen, port = await run_client(first, program, transport, era), 0
        else:
            async with listening([sys.executable, "-m", "http.server", "--bind", "127.0.0.1", "--directory", str(folder)]) as port:
                fill = lambda text: text.replace("{folder}", str(folder)).replace("{port}", str(port))  # noqa: E731
                seen = await serve_and_visit(first, program, transport, era, fill, awaited)
    text = json.dumps(seen, sort_keys=True).replace(str(folder), "{folder}")
    text = NUMBERS.sub("{id}", TIMES.sub("{time}", text.replace(f":{port}/", ":{port}/")))
    return json.loads(text)


def differences(expected: Any, actual: Any, path: str) -> list[str]:
    """Where two values are not the same."""
    if expected == actual:
        return []
    if isinstance(expected, dict) and isinstance(actual, dict):
        keys = sorted({*expected, *actual})
        return [line for key in keys for line in differences(expected.get(key), actual.get(key), f"{path} / {key}")]
    if isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        pairs = enumerate(zip(expected, actual, strict=True))
        return [line for n, (one, other) in pairs for line in differences(one, other, f"{path} / {n}")]
    return [f"{path}: {json.dumps(expected)} with the official packages, {json.dumps(actual)} with ours"]


def unknown(found: list[str], known: list[str]) -> list[str]:
    """Differences that are not known, and known ones that are there no more."""
    other = [line for line in found if not any(f"{place}: " in line for place in known)]
    stale = [place for place in known if not any(f"{place}: " in line for line in found)]
    return [*other, *(f"{place}: is the same by now" for place in stale)]


async def compare(program: Program, transport: str, era: str) -> bool:
    title = f"{program.package} ({transport}, {era})"
    known = [f"{title} / {place}" for one, place in program.otherwise if one == era]
    try:
        async with asyncio.timeout(SECONDS):
            expected = await seen_by(OFFICIAL, program, transport, era)
        async with asyncio.timeout(SECONDS):
            actual = await seen_by(OURS, program, transport, era, len(expected.get("messages", ())))
        found = unknown(differences(expected, actual, title), known)
    except Exception as error:
        found = [f"{title}: {error!r}"]
    for line in found[:20]:
        print(f"    {line}")
    if not found:
        print(f"    {title}: {len(expected)} answers are the same{', but for what is known' if known else ''}")
    return not found


async def main(only: str) -> int:
    assert "mcpbolt" not in sys.modules, "this must be the official package"
    ours = subprocess.run([sys.executable, *OURS, "-c", "import mcp; print(mcp.__spec__.name)"], capture_output=True, text=True)
    assert ours.stdout == "mcpbolt.v2\n", f"this is not mcpbolt under the official name: {ours.stdout or ours.stderr}"
    cases = [(p, transport, era) for p in PROGRAMS if only in p.package for transport in p.transports for era in p.eras]
    return 0 if all([await compare(*case) for case in cases]) else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main("".join(sys.argv[1:2]))))
