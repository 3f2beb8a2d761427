"""Reports of progress on requests of our own.

Owns: what a program's callback is given, and that its errors end nothing. Must not know: when it
is called.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from .._engine import face

if TYPE_CHECKING:
    from .session import ProgressFnT


async def tell(callback: ProgressFnT, report: dict[str, Any], logger: logging.Logger) -> None:
    """Call a program's callback with a report; what it raises is logged."""
    try:
        total = report.get("total")
        # The engine sends whole numbers as integers; callbacks expect floats.
        await callback(float(report["progress"]), None if total is None else float(total), report.get("message"))
    except Exception as error:
        log = logging if face.current.logs_at_root else logger
        log.error("Progress callback raised an exception: %s", error)
