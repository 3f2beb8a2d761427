"""A program in a terminal: what it prints there, and what the user presses.

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


class Terminal:
    """A program that runs in one, with all that it said so far; it ends with the block."""

    def __init__(self, command: list[str], where: Path, env: dict[str, str]) -> None:
        self._ours, theirs = pty.openpty()
        self._said = b""
        self._open = True
        try:
            modes = termios.tcgetattr(theirs)
            modes[3] &= ~termios.ECHO
            termios.tcsetattr(theirs, termios.TCSANOW, modes)
            # Of the environment that the program gets, too, its place is looked up.
            self._child = subprocess.Popen(
                ["/usr/bin/env", *command], cwd=where, env=env, stdin=theirs, stdout=theirs, stderr=theirs,
                start_new_session=True, preexec_fn=_controlling,
            )  # fmt: skip
        except BaseException:
            os.close(self._ours)
            raise
        finally:
            os.close(theirs)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self._child.kill()
        self._child.wait()
        os.close(self._ours)

    @property
    def said(self) -> str:
        return self._said.decode("utf-8", "replace")

    def press(self, keys: bytes) -> None:
        os.write(self._ours, keys)

    def ended(self) -> bool:
        return not self._open

    def listen(self, seconds: float) -> bool:
        """Takes what is said next; false if nothing was in this time."""
        if not self._open or not select.select([self._ours], [], [], max(0.0, seconds))[0]:
            return False
        try:
            chunk = os.read(self._ours, 65536)
        except OSError as ended:
            # The end of what is said, in a terminal.
            if ended.errno != errno.EIO:
                raise
            chunk = b""
        self._open = bool(chunk)
        self._said += chunk
        return True

    def rest(self, seconds: float) -> tuple[int, str]:
        """How it ended, and all it said."""
        until = time.monotonic() + seconds
        while self._open:
            if not self.listen(until - time.monotonic()) and self._open:
                raise TimeoutError(f"it goes on after {seconds} s, and said:\n{self.said}")
        return self._child.wait(max(1.0, until - time.monotonic())), self.said


def _controlling() -> None:
    """Ctrl-C and the end of input come from the terminal a session belongs to."""
    import fcntl

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def in_terminal(command: list[str], where: Path, env: dict[str, str], seconds: float) -> tuple[int, str]:
    """How it ended, and all it said. The end of input waits in the terminal from the start."""
    with Terminal(command, where, env) as terminal:
        terminal.press(END)
        return terminal.rest(seconds)
