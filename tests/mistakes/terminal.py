"""A program in a terminal: what it prints there, until the user ends the input.

Owns: the terminal. Its echo is off, so that only what the program says is seen.
"""

from __future__ import annotations

import errno
import os
import pty
import select
import subprocess
import termios
import time
from pathlib import Path

END = b"\x04"


def in_terminal(command: list[str], where: Path, env: dict[str, str], seconds: float) -> tuple[int, str]:
    """How it ended, and all it said. The end of input waits in the terminal from the start."""
    ours, theirs = pty.openpty()
    try:
        modes = termios.tcgetattr(theirs)
        modes[3] &= ~termios.ECHO
        termios.tcsetattr(theirs, termios.TCSANOW, modes)
        child = subprocess.Popen(
            command, cwd=where, env=env, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
        )
    finally:
        os.close(theirs)
    try:
        os.write(ours, END)
        said = _all(ours, time.monotonic() + seconds)
        return child.wait(seconds), said.decode("utf-8", "replace")
    finally:
        child.kill()
        child.wait()
        os.close(ours)


def _all(ours: int, until: float) -> bytes:
    """To the end, which a terminal tells by an error."""
    said = b""
    while select.select([ours], [], [], max(0.0, until - time.monotonic()))[0]:
        try:
            chunk = os.read(ours, 65536)
        except OSError as ended:
            if ended.errno == errno.EIO:
                return said
            raise
        if not chunk:
            return said
        said += chunk
    raise TimeoutError(f"the program goes on after the end of its input; it said {said!r}")
