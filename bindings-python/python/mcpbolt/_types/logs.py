"""Log messages to the client.

Written by `cargo xtask generate`; do not edit.
"""

from typing import Any, Literal, TypeAlias

from .base import Notification, NotificationParams, Request, RequestParams

LoggingLevel: TypeAlias = (
    Literal["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]
)
"""The eight syslog levels, in ascending order.

.. deprecated:: 2026-07-28
   logging, SEP-2577; earliest removal 2027-07-28. Write to stderr on stdio; use
   OpenTelemetry elsewhere.
"""


class SetLevelRequestParams(RequestParams, extra="allow"):
    """Params of `logging/setLevel` (legacy era).

    .. deprecated:: 2026-07-28
       logging, SEP-2577; earliest removal 2027-07-28. Write to stderr on stdio; use
       OpenTelemetry elsewhere.
    """

    level: LoggingLevel
    """Lowest level to send."""


class SetLevelRequest(Request[SetLevelRequestParams, Literal["logging/setLevel"]]):
    """Request `logging/setLevel` from the client. Until 2025-11-25.

    .. deprecated:: 2026-07-28
       logging, SEP-2577; earliest removal 2027-07-28. Write to stderr on stdio; use
       OpenTelemetry elsewhere.
    """

    method: Literal["logging/setLevel"] = "logging/setLevel"
    """The method."""
    params: SetLevelRequestParams
    """What it is about."""


class LoggingMessageNotificationParams(NotificationParams, extra="allow"):
    """Params of `notifications/message`.

    .. deprecated:: 2026-07-28
       logging, SEP-2577; earliest removal 2027-07-28. Write to stderr on stdio; use
       OpenTelemetry elsewhere.
    """

    level: LoggingLevel
    """The severity."""
    logger: str | None = None
    """The part of the server that logs."""
    data: Any
    """Any JSON value."""


class LoggingMessageNotification(Notification[LoggingMessageNotificationParams, Literal["notifications/message"]]):
    """Notification `notifications/message` from the server.

    .. deprecated:: 2026-07-28
       logging, SEP-2577; earliest removal 2027-07-28. Write to stderr on stdio; use
       OpenTelemetry elsewhere.
    """

    method: Literal["notifications/message"] = "notifications/message"
    """The method."""
    params: LoggingMessageNotificationParams
    """What it is about."""
