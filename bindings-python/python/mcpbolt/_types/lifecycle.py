"""lifecycle."""

from pydantic import ConfigDict
from typing import Literal
from .base import Notification, NotificationParams, ProgressToken, Request, RequestId, RequestParams, Result
from .capabilities import ClientCapabilities, ServerCapabilities
from .common import Implementation


class InitializeRequestParams(RequestParams):
    model_config = ConfigDict(extra="allow")
    protocolVersion: str | int
    capabilities: ClientCapabilities
    clientInfo: Implementation

    @property
    def protocol_version(self) -> str | int:
        return self.protocolVersion

    @property
    def client_info(self) -> Implementation:
        return self.clientInfo


class InitializeRequest(Request[InitializeRequestParams, Literal['initialize']]):
    method: Literal['initialize'] = 'initialize'
    params: InitializeRequestParams


class InitializeResult(Result):
    protocolVersion: str | int
    capabilities: ServerCapabilities
    serverInfo: Implementation
    instructions: str | None = None

    @property
    def protocol_version(self) -> str | int:
        return self.protocolVersion

    @property
    def server_info(self) -> Implementation:
        return self.serverInfo


class InitializedNotification(Notification[NotificationParams | None, Literal['notifications/initialized']]):
    method: Literal['notifications/initialized'] = 'notifications/initialized'
    params: NotificationParams | None = None


class PingRequest(Request[RequestParams | None, Literal['ping']]):
    method: Literal['ping'] = 'ping'
    params: RequestParams | None = None


class ProgressNotificationParams(NotificationParams):
    model_config = ConfigDict(extra="allow")
    progressToken: ProgressToken
    progress: float
    total: float | None = None
    message: str | None = None

    @property
    def progress_token(self) -> ProgressToken:
        return self.progressToken


class ProgressNotification(Notification[ProgressNotificationParams, Literal['notifications/progress']]):
    method: Literal['notifications/progress'] = 'notifications/progress'
    params: ProgressNotificationParams


class CancelledNotificationParams(NotificationParams):
    model_config = ConfigDict(extra="allow")
    requestId: RequestId | None = None
    reason: str | None = None

    @property
    def request_id(self) -> RequestId | None:
        return self.requestId


class CancelledNotification(Notification[CancelledNotificationParams, Literal['notifications/cancelled']]):
    method: Literal['notifications/cancelled'] = 'notifications/cancelled'
    params: CancelledNotificationParams



