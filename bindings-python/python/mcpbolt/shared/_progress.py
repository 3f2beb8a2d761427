"""Reports of progress, on requests of our own and of the peer.

Owns: what a program's callback is given, that its errors end nothing, and which values a report may
have. Must not know: when the callback is called, and how a report is sent.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Final

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


# Not their subclasses: `bool` is one, and so are the numbers of other libraries.
_NUMBERS: Final = (int, float)


def report_params(
    token: str | int, progress: float, total: float | None, message: str | None
) -> dict[str, Any]:
    """The params of a report. Values other than plain numbers and text become those that pydantic
    makes of them.

    Raises:
        ValidationError: A value is not what a report may have.
    """
    plain = type(progress) in _NUMBERS and (total is None or type(total) in _NUMBERS)
    if not plain or not (message is None or type(message) is str):
        from ..types import ProgressNotificationParams

        given = {"progressToken": token, "progress": progress, "total": total, "message": message}
        checked = ProgressNotificationParams.model_validate(given)
        progress, total, message = checked.progress, checked.total, checked.message
    params: dict[str, Any] = {"progressToken": token, "progress": progress}
    if total is not None:
        params["total"] = total
    if message is not None:
        params["message"] = message
    return params
