"""Servers that are programs: started here, spoken to over their standard streams."""

from __future__ import annotations

import errno
import logging
import os
import shutil
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TextIO

from pydantic import BaseModel, Field

from .._switches import switches
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
# How long a process may take to end after its input closed, before it is told to.
PROCESS_TERMINATION_TIMEOUT = 2.0


def get_default_environment() -> dict[str, str]:
    """The environment variables a server inherits: only those that programs need to start."""
    found = {name: os.environ.get(name) for name in (*DEFAULT_INHERITED_ENV_VARS, *switches.inherited)}
    # What begins so is a function of a shell.
    return {name: value for name, value in found.items() if value is not None and not value.startswith("()")}


class StdioServerParameters(BaseModel):
    """How to start a server."""

    command: str
    """The program to start."""

    args: list[str] = Field(default_factory=list)
    """The arguments of the program."""

    env: dict[str, str] | None = None
    """Environment variables to set beside those of `get_default_environment()`."""

    cwd: str | Path | None = None
    """The working directory of the program; `None` for that of this process."""

    encoding: str = "utf-8"
    """Of the messages. The protocol knows UTF-8 alone."""

    encoding_error_handler: Literal["strict", "ignore", "replace"] = "strict"
    """How text that cannot be encoded is treated, as in `str.encode`; has no effect with UTF-8."""


def stdio_target(server: StdioServerParameters, errlog: TextIO) -> tuple[dict[str, Any], Callable[[str], None] | None]:
    """The engine's target for a program, and who takes its standard error.

    Raises:
        FileNotFoundError: The program or the folder does not exist.
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
    if not switches.own_words:
        return os.strerror(errno.ENOENT)
    return "No such command on the server's PATH: install it, or give its whole path"


def _stderr(errlog: TextIO) -> tuple[Any, Callable[[str], None] | None]:
    try:
        number = errlog.fileno()
    except (OSError, ValueError, AttributeError):
        return "capture", lambda line: _say(errlog, line)
    if number == 2:
        return "inherit", None
    if sys.platform == "win32":
        return "capture", lambda line: _say(errlog, line)
    errlog.flush()
    return {"file": f"/dev/fd/{number}"}, None


def _say(errlog: TextIO, line: str) -> None:
    try:
        errlog.write(line + "\n")
        errlog.flush()
    except (OSError, ValueError) as error:
        logger.debug("a line of the server's standard error is lost: %s", error)


@asynccontextmanager
async def stdio_client(
    server: StdioServerParameters, errlog: TextIO = sys.stderr
) -> AsyncGenerator[
    tuple[MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]], None
]:
    """A server that is a program, as a pair of streams.

    It starts when a session opens, or when the streams are first used, and ends with
    the context: its input is closed, then it is told to end, then killed.

    Args:
        server: The program.
        errlog: Where its standard error goes.
    """
    if server.encoding.lower().replace("_", "-") not in ("utf-8", "utf8"):
        logger.warning("encoding=%r has no effect: messages are UTF-8", server.encoding)
    reach = Reach(*stdio_target(server, errlog))
    try:
        yield reach.reader, reach.writer
    finally:
        await reach.close()
