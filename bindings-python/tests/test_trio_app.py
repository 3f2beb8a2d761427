"""HTTP in an application that runs on trio."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from bounds import LIMIT, START, WHOLE
from peer import FOLDER, soon, text
from ports import free_port

from mcpbolt import Client, ClientSession
from mcpbolt.client.sse import sse_client

pytest.importorskip("hypercorn")


@contextmanager
def served(lifespan: bool = True) -> Iterator[str]:
    port = free_port()
    words = ["-k", "trio", "-b", f"127.0.0.1:{port}", "trio_app:app" if lifespan else "trio_app:without_lifespan"]
    process = subprocess.Popen(
        [sys.executable, "-m", "hypercorn", *words], cwd=FOLDER, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    watchdog = threading.Timer(START + WHOLE, process.kill)
    watchdog.start()
    said: list[str] = []
    try:
        for line in process.stderr:
            said.append(line)
            if "Running on" in line:
                break
        else:
            raise AssertionError(f"it ended: {''.join(said)}")
        yield f"http://127.0.0.1:{port}"
        process.send_signal(signal.SIGINT)
        said += process.stderr.readlines()
        assert process.wait(LIMIT) == 0, said
        assert "Traceback" not in "".join(said), "".join(said)
    finally:
        watchdog.cancel()
        process.kill()
        process.wait(LIMIT)
        process.stderr.close()


def run(work: Any) -> None:
    asyncio.run(asyncio.wait_for(work, WHOLE))


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_a_server_answers_on_trio(mode: str) -> None:
    async def main(url: str) -> None:
        made: list[float] = []

        async def heard(progress: float, total: float | None, message: str | None) -> None:
            made.append(progress)

        async with Client(f"{url}/mcp", mode=mode) as client:
            assert text(await soon(client.call_tool("where", {}, progress_callback=heard))) == "trio"
            assert text(await soon(client.call_tool("plain", {}))) == "plain"
            assert made == [1]
        async with Client(f"{url}/own/", mode=mode) as client:
            assert text(await soon(client.call_tool("who", {}))).startswith("Watched")

    with served() as url:
        run(main(url))


def test_the_older_transport_does_too() -> None:
    async def main(url: str) -> None:
        async with sse_client(f"{url}/older/sse") as streams, ClientSession(*streams) as session:
            await soon(session.initialize())
            assert text(await soon(session.call_tool("where", {}))) == "trio"

    with served() as url:
        run(main(url))


def test_whoever_enters_no_lifespan_is_answered_and_ends_too() -> None:
    async def main(url: str) -> None:
        async with Client(f"{url}/mcp") as client:
            assert text(await soon(client.call_tool("where", {}))) == "trio"

    with served(lifespan=False) as url:
        run(main(url))
