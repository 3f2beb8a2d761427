"""Servers that are programs: started here, spoken to over their standard streams."""

from __future__ import annotations

import errno
import logging
import os
import shutil
import stat
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Optional, TextIO, Union

from anyio import sleep
from pydantic import BaseModel, Field

from .._engine import face
from .._engine.life import start
from ._reach import Reach

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

    from ..shared.message import SessionMessage

__all__ = [
    "DEFAULT_INHERITED_ENV_VARS",
    "PROCESS_TERMINATION_TIMEOUT",
    "StdioServerParameters",
    "get_default_environment",
    "stdio_client",
]

logger: logging.Logger = logging.getLogger("client")

ErrorLog = Optional[Union[TextIO, int]]

DEFAULT_INHERITED_ENV_VARS = (
    [
        "APPDATA",
        "HOMEDRIVE",
        "HOMEPATH",
        "LOCALAPPDATA",
        "PATH",
        "PATHEXT",
        "PROCESSOR_ARCHITECTURE",
        "SYSTEMDRIVE",
        "SYSTEMROOT",
        "TEMP",
        "USERNAME",
        "USERPROFILE",
    ]
    if sys.platform == "win32"
    else ["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"]
)
# How many seconds a process has to end after its input was closed, before it is terminated.
PROCESS_TERMINATION_TIMEOUT = 2.0
# After how many seconds a program is started that no session has started, if the face wants it.
UNASKED_SECONDS = 0.1


def get_default_environment() -> dict[str, str]:
    """The environment variables that a server process inherits: only those that programs need
    to start, such as `PATH` and `HOME`.
    """
    found = {name: os.environ.get(name) for name in (*DEFAULT_INHERITED_ENV_VARS, *face.inherited)}
    # A value with this prefix is an exported shell function.
    return {name: value for name, value in found.items() if value is not None and not value.startswith("()")}


class StdioServerParameters(BaseModel):
    """How to start a server that is a program and talks over its standard streams."""

    command: str
    """The program to run: a name on the `PATH`, or a path."""

    args: list[str] = Field(default_factory=list)
    """The program's arguments. Default: none."""

    env: dict[str, str] | None = None
    """Environment variables in addition to those of `get_default_environment()`; the process does not
    inherit others. Default: none.
    """

    cwd: str | Path | None = None
    """The working directory. Default: that of this process."""

    encoding: str = "utf-8"
    """Has no effect other than a warning, as messages are always UTF-8."""

    encoding_error_handler: Literal["strict", "ignore", "replace"] = "strict"
    """Has no effect, as messages are always UTF-8."""


def stdio_target(server: StdioServerParameters, errlog: ErrorLog) -> tuple[dict[str, Any], Callable[[str], None] | None]:
    """The engine's target for a program, and the function that gets its standard error, if
    any.

    Args:
        server: The program.
        errlog: Where its standard error goes.

    Raises:
        FileNotFoundError: The program or the working directory does not exist.
        PermissionError: The program may not be run.
    """
    environment = {**get_default_environment(), **(server.env or {})}
    _check(server, environment)
    stderr, listener = _stderr(errlog)
    target: dict[str, Any] = {
        "command": server.command,
        "args": server.args,
        "env": environment,
        "inherit": "nothing",
        "stderr": stderr,
        "close_grace": PROCESS_TERMINATION_TIMEOUT,
    }
    if server.cwd is not None:
        target["cwd"] = str(server.cwd)
    return target, listener


def _check(server: StdioServerParameters, environment: dict[str, str]) -> None:
    if server.cwd is not None and not os.path.isdir(server.cwd):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(server.cwd))
    command = server.command
    if os.path.dirname(command):
        folder = server.cwd or ""
        path = command if os.path.isabs(command) else os.path.join(folder, command)
        if not os.path.exists(path):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), command)
        if sys.platform != "win32" and not os.access(path, os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), command)
    elif shutil.which(command, path=environment.get("PATH")) is None:
        raise FileNotFoundError(errno.ENOENT, _no_command(), command)


def _no_command() -> str:
    if not face.current.own_words:
        return os.strerror(errno.ENOENT)
    return "No such command on the server's PATH: install it, or give its whole path"


def _stderr(errlog: ErrorLog) -> tuple[Any, Callable[[str], None] | None]:
    if errlog is None:
        return "inherit", None
    if isinstance(errlog, int):
        return _descriptor(errlog, partial(_write, errlog))
    try:
        number = errlog.fileno()
    except (OSError, ValueError, AttributeError):
        return "capture", partial(_say, errlog)
    with suppress(OSError, ValueError, AttributeError):
        errlog.flush()
    return _descriptor(number, partial(_say, errlog))


def _descriptor(number: int, listener: Callable[[str], None]) -> tuple[Any, Callable[[str], None] | None]:
    """Standard error that goes to a descriptor, or where one of the negative numbers of
    `subprocess` says. `listener` writes a line where the engine cannot open the descriptor.
    """
    if number == 2:
        return "inherit", None
    if number < 0:
        # `DEVNULL`; to `PIPE` and `STDOUT` nobody listens who could make sense of it.
        return "null", None
    if sys.platform == "win32" or stat.S_ISSOCK(os.fstat(number).st_mode):
        return "capture", listener
    return {"file": f"/dev/fd/{number}"}, None


def _say(errlog: TextIO, line: str) -> None:
    try:
        errlog.write(line + "\n")
        errlog.flush()
    # The file is the program's, and here nobody could catch what it raises.
    except Exception as error:
        logger.debug("a line of the server's standard error is lost: %s", error)


def _write(number: int, line: str) -> None:
    try:
        os.write(number, f"{line}\n".encode())
    except OSError as error:
        logger.debug("a line of the server's standard error is lost: %s", error)


@asynccontextmanager
async def stdio_client(
    server: StdioServerParameters, errlog: ErrorLog = sys.stderr
) -> AsyncGenerator[
    tuple[MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]], None
]:
    """Run a server that is a program; yields a pair of streams for a `ClientSession`.

    The process starts when a session opens or when the streams are first used. When the context is
    left, its input is closed; if it does not end within 2 seconds, it is terminated, then killed.

    Args:
        server: How to start the program.
        errlog: An open text file that the program's standard error is written to, or as for
            `subprocess` a descriptor, `subprocess.DEVNULL` for nowhere, or `None` for standard error
            of this process, which is the default.

    Raises:
        FileNotFoundError: The program or the working directory does not exist.
        PermissionError: The program may not be run.
    """
    if server.encoding.lower().replace("_", "-") not in ("utf-8", "utf8"):
        logger.warning("encoding=%r has no effect: messages are UTF-8", server.encoding)
    reach = Reach(*await _looked_up(server, errlog))
    starting = start(_start_unasked(reach)) if face.current.starts_programs else None
    try:
        yield reach.reader, reach.writer
    finally:
        if starting is not None:
            starting.cancel()
        await reach.close()


async def _looked_up(
    server: StdioServerParameters, errlog: ErrorLog
) -> tuple[dict[str, Any], Callable[[str], None] | None]:
    """The target of `stdio_target`, which looks at files."""
    if not face.current.uses_anyio_threads:
        return stdio_target(server, errlog)
    from anyio import to_thread

    return await to_thread.run_sync(stdio_target, server, errlog)


async def _start_unasked(reach: Reach) -> None:
    """Start a program that no session has started by then."""
    await sleep(UNASKED_SECONDS)
    reach.start()
