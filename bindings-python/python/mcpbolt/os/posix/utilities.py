"""Ending a process with its children. `stdio_client` does not use this; the engine does it."""

from __future__ import annotations

import logging
import os
import signal
from typing import TYPE_CHECKING

import anyio

if TYPE_CHECKING:
    from anyio.abc import Process

__all__ = ["terminate_posix_process_tree"]

logger: logging.Logger = logging.getLogger("mcp.os.posix.utilities")

_LOOK_AGAIN_SECONDS = 0.1


async def terminate_posix_process_tree(process: Process, timeout_seconds: float = 2.0) -> None:
    """End a process and its process group: terminated first, killed after `timeout_seconds`.

    The process has to be the leader of its own group; otherwise the caller's group is ended.

    Args:
        process: The process.
        timeout_seconds: How many seconds it has to end by itself. Default: 2.
    """
    pid: int | None = getattr(process, "pid", None) or getattr(getattr(process, "popen", None), "pid", None)
    if not pid:
        return
    try:
        group = os.getpgid(pid)
        os.killpg(group, signal.SIGTERM)
        with anyio.move_on_after(timeout_seconds):
            while _is_alive(group):
                await anyio.sleep(_LOOK_AGAIN_SECONDS)
        if _is_alive(group):
            os.killpg(group, signal.SIGKILL)
    except OSError as error:
        logger.warning("the group of process %s cannot be ended (%s): ending the process alone", pid, error)
        await _end_alone(process, timeout_seconds)


def _is_alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


async def _end_alone(process: Process, seconds: float) -> None:
    try:
        process.terminate()
        with anyio.fail_after(seconds):
            await process.wait()
    except TimeoutError:
        process.kill()
    except ProcessLookupError:
        return
