"""A program in a terminal: what a person sees of it, and types."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from typing import Any

from bounds import LIMIT


class Terminal:
    """A program whose standard streams are a terminal."""

    def __init__(self, *arguments: str, env: dict[str, str] | None = None) -> None:
        self.ours, theirs = os.openpty()
        self.shown = ""
        self._seen = 0
        self.process = subprocess.Popen(
            [sys.executable, "-W", "error", *arguments],
            stdin=theirs, stdout=theirs, stderr=theirs, env={**os.environ, **(env or {})}, start_new_session=True,
        )
        os.close(theirs)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: Any) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.ours)

    def reads_keys(self) -> None:
        """Wait until each key is read by itself. Before that the system takes Ctrl-C, which ends
        programs only in a terminal that controls them, as this one does not.
        """
        import termios

        end = time.monotonic() + LIMIT
        while termios.tcgetattr(self.ours)[3] & termios.ICANON:
            assert time.monotonic() < end, self.shown
            self._read(0.05)

    def type(self, text: str) -> None:
        os.write(self.ours, text.encode())

    def until(self, words: str) -> str:
        """What is shown up to the line that has some words."""
        end = time.monotonic() + LIMIT
        while words not in self.shown.rpartition("\n")[0] and time.monotonic() < end:
            if not self._read(end - time.monotonic()):
                break
        assert words in self.shown, self.shown
        return self.shown

    def sees(self, words: str) -> None:
        """Wait until some words are shown, after those that were seen before."""
        end = time.monotonic() + LIMIT
        while words not in self.shown[self._seen :] and time.monotonic() < end:
            if not self._read(end - time.monotonic()):
                break
        at = self.shown.find(words, self._seen)
        assert at >= 0, self.shown
        self._seen = at + len(words)

    def end(self, code: int = 0) -> str:
        """All that is shown, when it has ended."""
        while self._read(LIMIT):
            pass
        assert self.process.wait(LIMIT) == code, self.shown
        return self.shown

    def _read(self, seconds: float) -> bool:
        if not select.select([self.ours], [], [], max(seconds, 0))[0]:
            return False
        try:
            part = os.read(self.ours, 1 << 16)
        except OSError:
            return False
        self.shown += part.decode().replace("\r\n", "\n")
        return bool(part)
