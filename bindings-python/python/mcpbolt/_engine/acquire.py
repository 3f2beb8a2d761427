"""Acquiring a driver on the running loop, asyncio or trio.

Owns: which of the two is running. Must not know: what the driver is for.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from .driver import Driver


def acquire() -> Driver:
    """Acquire the driver of the running loop. Every call needs one `release`."""
    trio: Any = sys.modules.get("trio")
    if trio is not None and trio.lowlevel.in_trio_run():
        from .client_trio import TrioDriver

        return TrioDriver.acquire()
    return Driver.acquire()


@asynccontextmanager
async def driving() -> AsyncGenerator[Driver, None]:
    """A driver of the running loop, on asyncio or trio, while the context is open."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        from .trio import driving as driving_on_trio

        async with driving_on_trio() as driver:
            yield driver
        return
    driver = Driver.acquire()
    try:
        yield driver
    finally:
        driver.release()
