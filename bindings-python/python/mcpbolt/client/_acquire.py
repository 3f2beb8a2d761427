"""Acquiring the driver of the running loop, on asyncio or trio."""

from __future__ import annotations

import sys
from typing import Any

from .._loop import Driver


def acquire() -> Driver:
    """Acquire the driver of the running loop. Every call needs one `release`."""
    trio: Any = sys.modules.get("trio")
    if trio is not None and trio.lowlevel.in_trio_run():
        from ._trio import TrioDriver

        return TrioDriver.acquire()
    return Driver.acquire()
