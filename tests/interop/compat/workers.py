"""gunicorn with `--preload` and two workers around the ASGI app, and the official client.

Ends with 0 if both workers answer, many calls at once are answered right, and SIGTERM ends
it all in time without a traceback.
"""

import asyncio
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

SECONDS = 60
WORKERS = 2


async def call(url: str, tool: str, arguments: dict[str, Any]) -> Any:
    async with streamable_http_client(url) as streams, ClientSession(*streams[:2]) as session:
        await session.initialize()
        result = await session.call_tool(tool, arguments)
        assert not result.isError, result
        return result.structuredContent["result"]


async def check(url: str) -> None:
    found: set[int] = set()
    end = time.monotonic() + SECONDS
    while len(found) < WORKERS:
        assert time.monotonic() < end, f"only {found} answered"
        found.update(await asyncio.gather(*(call(url, "process", {}) for _ in range(8))))
    texts = [str(n) for n in range(40)]
    assert await asyncio.gather(*(call(url, "echo", {"text": text}) for text in texts)) == texts


def listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def main() -> None:
    # Below those that systems give to whoever asks for any: nobody is given it meanwhile.
    while listening(port := random.randrange(10_000, 32_000)):
        pass
    command = [sys.executable, "-m", "gunicorn", "--preload", "--workers", str(WORKERS)]
    command += ["--worker-class", "uvicorn.workers.UvicornWorker"]
    command += ["--bind", f"127.0.0.1:{port}", "--graceful-timeout", "5", "--no-control-socket", "served:app"]
    with tempfile.TemporaryFile() as said:
        server = subprocess.Popen(command, cwd=Path(__file__).parent, stdout=said, stderr=said)
        try:
            end = time.monotonic() + SECONDS
            while not listening(port):
                assert time.monotonic() < end, "gunicorn does not listen"
                with suppress(subprocess.TimeoutExpired):
                    raise AssertionError(f"gunicorn ended with {server.wait(0.05)}")
            asyncio.run(asyncio.wait_for(check(f"http://127.0.0.1:{port}/mcp"), SECONDS))
            server.send_signal(signal.SIGTERM)
            assert server.wait(15) == 0, server.returncode
        finally:
            if server.poll() is None:
                server.kill()
                server.wait()
            said.seek(0)
            text = said.read().decode()
        assert "Traceback" not in text, text


main()
