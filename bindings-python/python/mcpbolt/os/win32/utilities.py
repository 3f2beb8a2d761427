"""Processes on Windows. `stdio_client` does not use this: the engine starts and ends its
processes in a job object.
"""

from __future__ import annotations

import logging
import shutil
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TextIO

import anyio
from anyio import to_thread
from anyio.streams.file import FileReadStream, FileWriteStream
from typing_extensions import deprecated

if TYPE_CHECKING:
    from anyio.abc import Process
    from typing_extensions import Self

__all__ = [
    "FallbackProcess",
    "create_windows_process",
    "get_windows_executable_command",
    "terminate_windows_process",
    "terminate_windows_process_tree",
]

logger: logging.Logger = logging.getLogger("client.stdio.win32")

_NO_WINDOW: int = getattr(subprocess, "CREATE_NO_WINDOW", 0)
_GRACE_SECONDS = 2.0

JobHandle = int


def get_windows_executable_command(command: str) -> str:
    """The file behind a command such as `npx`, which may have one of several extensions.

    Args:
        command: The command.
    """
    try:
        for ending in ("", ".cmd", ".bat", ".exe", ".ps1"):
            if found := shutil.which(command + ending):
                return found
    except OSError as error:
        logger.debug("looking for %s: %s", command, error)
    return command


class FallbackProcess:
    """A `subprocess` process with async streams, for loops that cannot start processes.

    Args:
        popen_obj: The process.
    """

    def __init__(self, popen_obj: subprocess.Popen[bytes]) -> None:
        self.popen: subprocess.Popen[bytes] = popen_obj
        self.stdin_raw: Any = popen_obj.stdin
        self.stdout_raw: Any = popen_obj.stdout
        self.stderr: Any = popen_obj.stderr
        self.stdin: FileWriteStream | None = FileWriteStream(self.stdin_raw) if self.stdin_raw else None
        self.stdout: FileReadStream | None = FileReadStream(self.stdout_raw) if self.stdout_raw else None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc_val: BaseException | None, exc_tb: TracebackType | None
    ) -> None:
        self.terminate()
        await self.wait()
        for stream in (self.stdin, self.stdout):
            if stream is not None:
                await stream.aclose()
        if self.stderr is not None:
            self.stderr.close()

    async def wait(self) -> int:
        """Wait until the process has ended; returns its exit code."""
        return await to_thread.run_sync(self.popen.wait)

    def terminate(self) -> None:
        """End the process."""
        self.popen.terminate()

    def kill(self) -> None:
        """End the process; on Windows this is the same as `terminate`."""
        self.terminate()

    @property
    def pid(self) -> int:
        """The process id."""
        return self.popen.pid


async def create_windows_process(
    command: str,
    args: list[str],
    env: dict[str, str] | None = None,
    errlog: TextIO | None = sys.stderr,
    cwd: Path | str | None = None,
) -> Process | FallbackProcess:
    """Start a process without a console window, with pipes for its input and output.

    Args:
        command: The command.
        args: Its arguments.
        env: Its environment. Default: that of this process.
        errlog: Where its standard error goes. Default: that of this process.
        cwd: Its working directory. Default: that of this process.
    """
    line = [command, *args]
    try:
        return await anyio.open_process(line, env=env, stderr=errlog, cwd=cwd, creationflags=_NO_WINDOW)
    except NotImplementedError:
        return FallbackProcess(
            subprocess.Popen(
                line,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errlog,
                env=env,
                cwd=cwd,
                bufsize=0,
                creationflags=_NO_WINDOW,
            )
        )


async def terminate_windows_process_tree(process: Any, timeout_seconds: float = 2.0) -> None:
    """End a process and its children. Does nothing on other systems.

    Args:
        process: The process.
        timeout_seconds: How many seconds ending it may take. Default: 2.
    """
    if sys.platform != "win32":
        return
    command = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
    with anyio.move_on_after(timeout_seconds):
        await anyio.run_process(command, check=False)
    try:
        process.terminate()
    except OSError as error:
        logger.debug("process %s is over: %s", process.pid, error)


@deprecated("stdio_client ends its processes itself; use terminate_windows_process_tree for others")
async def terminate_windows_process(process: Any) -> None:
    """End a process: terminated first, killed after two seconds.

    Args:
        process: The process.
    """
    try:
        process.terminate()
        with anyio.fail_after(_GRACE_SECONDS):
            await process.wait()
    except TimeoutError:
        process.kill()
