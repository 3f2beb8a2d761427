"""A command of a page that goes on while the next ones are typed, as in a terminal of its own.

Owns: its start, whether it listens, its end.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

# Seconds until it has to listen, and to end.
STARTS, ENDS = 60, 30


class Failed(Exception):
    """A page promises what does not happen."""


class NotHere(Exception):
    """A page wants a program that this machine has not."""


def answers(port: int) -> bool:
    """Whether HTTP is spoken there."""
    try:
        with socket.create_connection(("127.0.0.1", port), 10) as peer:
            peer.sendall(f"GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
            return peer.recv(5) == b"HTTP/"
    except OSError:
        return False


class Serving:
    """A server that runs with the block. What it says is kept, in case it fails."""

    def __init__(self, command: str, port: int, where: Path, env: dict[str, str], needed: list[str]) -> None:
        for name in needed:
            if shutil.which(name, path=env["PATH"]) is None:
                raise NotHere(f"no {name} here")
        self._command, self._port = command, port
        self._where, self._env = where, env

    def __enter__(self) -> Serving:
        self._said = tempfile.TemporaryFile()
        self._child = subprocess.Popen(
            ["bash", "-c", f"exec {self._command}"], cwd=self._where, env=self._env, stdin=subprocess.DEVNULL,
            stdout=self._said, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        until = time.monotonic() + STARTS
        try:
            while not answers(self._port):
                if self._child.poll() is not None or time.monotonic() > until:
                    raise Failed(f"{self._command.strip()} does not serve, but says:\n{self._words()}")
                # Ends at once with the child.
                try:
                    self._child.wait(0.05)
                except subprocess.TimeoutExpired:
                    continue
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """As by Ctrl-C, which reaches all of its processes."""
        try:
            os.killpg(self._child.pid, signal.SIGINT)
            self._child.wait(ENDS)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            pass
        finally:
            if self._child.poll() is None:
                os.killpg(self._child.pid, signal.SIGKILL)
                self._child.wait()
            self._said.close()

    def _words(self) -> str:
        self._said.seek(0)
        return self._said.read().decode("utf-8", "replace")
