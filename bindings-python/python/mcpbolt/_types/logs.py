"""logs."""

from pydantic import ConfigDict
from typing import Any, Literal, TypeAlias
from .base import Notification, NotificationParams, Request, RequestParams


LoggingLevel: TypeAlias = Literal['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']

class SetLevelRequestParams(RequestParams):
    model_config = ConfigDict(extra="allow")
    level: LoggingLevel


class SetLevelRequest(Request[SetLevelRequestParams, Literal['logging/setLevel']]):
    method: Literal['logging/setLevel'] = 'logging/setLevel'
    params: SetLevelRequestParams


class LoggingMessageNotificationParams(NotificationParams):
    model_config = ConfigDict(extra="allow")
    level: LoggingLevel
    logger: str | None = None
    data: Any


class LoggingMessageNotification(Notification[LoggingMessageNotificationParams, Literal['notifications/message']]):
    method: Literal['notifications/message'] = 'notifications/message'
    params: LoggingMessageNotificationParams



