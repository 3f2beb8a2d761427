"""The driver of whatever loop runs here: asyncio's, or trio's."""

from __future__ import annotations

import sys
from typing import Any

from .._loop import Driver


def acquire() -> Driver:
    """The driver of the running loop; every call needs one `release`."""
    trio: Any = sys.modules.get("trio")
    if trio is not None and trio.lowlevel.in_trio_run():
        from ._trio import TrioDriver

        return TrioDriver.acquire()
    return Driver.acquire()
