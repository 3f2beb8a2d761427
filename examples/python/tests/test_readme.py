"""Every command of examples/README.md works as it stands there, apart from the ports, which
may be in use, and the folder of the notes; and what the programs say is looked at.
"""

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Timer

import pytest
from ports import free_port

HERE = Path(__file__).parents[1]
ROOT = HERE.parents[1]
README = (ROOT / "examples/README.md").read_text()
# Longest wait for a program to start or to end, in seconds: a bound, not a pause.
BOUND = 30.0
BLOCKS = [
    lines
    for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    if (lines := [line for line in block.splitlines() if line.startswith("python ")])
]
# What the output of a program must hold.
SAYS = {
    "everything_server.py": "prompt    test_simple_prompt: A prompt without arguments.",
    "weather_server.py": "tool      get_forecast: The forecast of a place",
    "demo_client.py": "ok\telicitation\tDeleted demo.txt.",
    "--yes": "In short: Today: 71°F",
    "host.json": "model: After 3 calls I know: the person said no",
}


class Block:
    """One block of commands: its own ports and its own folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.addresses = {port: f"127.0.0.1:{free_port()}" for port in ("127.0.0.1:3000", "127.0.0.1:3001")}

    def adapt(self, text: str) -> str:
        for written, real in self.addresses.items():
            text = text.replace(written, real)
        return text

    def words(self, command: str) -> list[str]:
        return [self.word(word) for word in shlex.split(command)]

    def word(self, word: str) -> str:
        if word == "python":
            return sys.executable
        if word.endswith("host.json"):
            return str(self.host_file(ROOT / word))
        if word in ("./notes", "target/host-notes"):
            return str(self.folder / "notes")
        return self.adapt(word)

    def host_file(self, path: Path) -> Path:
        """The file of the host with what differs here."""
        config = json.loads(self.adapt(path.read_text()))
        for entry in config["mcpServers"].values():
            entry["command"] = self.word(entry["command"])
            entry["args"] = [self.word(word) for word in entry["args"]]
        adapted = self.folder / "host.json"
        adapted.write_text(json.dumps(config))
        return adapted


@contextmanager
def listening(words: list[str]) -> Iterator[None]:
    quiet = subprocess.DEVNULL
    with subprocess.Popen(words, cwd=ROOT, stdin=quiet, stdout=quiet, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        # Who does not say where it listens ends, and with it what it says.
        patience = Timer(BOUND, server.kill)
        patience.start()
        try:
            said: list[str] = []
            for line in server.stderr:
                said.append(line)
                if "on http://" in line:
                    break
            patience.cancel()
            assert server.poll() is None, f"{words} does not listen: {''.join(said)}"
            yield
            assert server.poll() is None, f"{words} ended by itself"
            server.terminate()
            server.wait(BOUND)
        finally:
            patience.cancel()
            server.kill()


@pytest.mark.parametrize("commands", BLOCKS, ids=[block[-1].removeprefix("python examples/python/") for block in BLOCKS])
def test_the_commands_of_the_readme_work(commands: list[str], tmp_path: Path) -> None:
    block = Block(tmp_path)
    with ExitStack() as servers:
        for command in commands:
            words = block.words(command)
            if "--http" in words:
                servers.enter_context(listening(words))
                continue
            # A person who says nothing: no.
            ended = subprocess.run(
                words, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=BOUND
            )
            said = ended.stdout + ended.stderr
            assert ended.returncode == 0, f"{command}: {said}"
            assert "left out" not in said and "FAILED" not in said, said
            if len(words) > 2 and "client" in command or "host.py" in command:
                expected = next((text for name, text in SAYS.items() if name in command), "connected to mcpbolt-")
                assert expected in ended.stdout, said


def test_all_blocks_are_found_and_all_programs_are_in_the_readme() -> None:
    assert sum(map(len, BLOCKS)) >= 14
    for path in HERE.glob("*.py"):
        assert f"(python/{path.name})" in README, path.name
    for path in HERE.glob("*_server.py"):
        assert any(path.name in command for block in BLOCKS for command in block), path.name


def test_the_application_counts_what_a_tool_saw_of_each_request() -> None:
    import httpx

    from mcpbolt import SyncClient

    address = f"127.0.0.1:{free_port()}"
    with listening([sys.executable, str(HERE / "fastapi_mount.py"), "--http", address]):
        with SyncClient(f"http://{address}/mcp", headers={"x-visitor": "ada"}) as ada, SyncClient(f"http://{address}/mcp") as other:
            for client, visitor in ((ada, "ada"), (other, "nobody"), (ada, "ada")):
                (block,) = client.call_tool("who_am_i").content
                assert block.text == f"You are {visitor}."  # type: ignore[union-attr]
        assert httpx.get(f"http://{address}/visits").json() == {"ada": 2, "nobody": 1}
