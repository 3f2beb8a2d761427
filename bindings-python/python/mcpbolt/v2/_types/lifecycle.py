"""How a session begins, and what concerns any request.

Written by `cargo xtask generate`; do not edit.
"""

from typing import Literal

from .base import Notification, NotificationParams, ProgressToken, Request, RequestParams, Result
from .capabilities import ClientCapabilities, ServerCapabilities
from .common import Implementation
from .jsonrpc import RequestId


class InitializeRequestParams(RequestParams):
    """Params of `initialize` (legacy era)."""

    protocol_version: str
    """Revision the client would like to speak."""
    capabilities: ClientCapabilities
    """What the client can do."""
    client_info: Implementation
    """Who the client is."""


class InitializeRequest(Request[InitializeRequestParams, Literal["initialize"]]):
    """Request `initialize` from the client. Until 2025-11-25."""

    method: Literal["initialize"] = "initialize"
    """The method."""
    params: InitializeRequestParams
    """What it is about."""


class InitializeResult(Result):
    """Result of `initialize` (legacy era)."""

    protocol_version: str
    """Revision the session will speak."""
    capabilities: ServerCapabilities
    """What the server can do."""
    server_info: Implementation
    """Who the server is."""
    instructions: str | None = None
    """How to use the server, for the model."""


class InitializedNotification(Notification[NotificationParams | None, Literal["notifications/initialized"]]):
    """Notification `notifications/initialized` from the client. Until 2025-11-25."""

    method: Literal["notifications/initialized"] = "notifications/initialized"
    """The method."""
    params: NotificationParams | None = None
    """What it is about."""


class PingRequest(Request[RequestParams | None, Literal["ping"]]):
    """Request `ping` from either side. Until 2025-11-25."""

    method: Literal["ping"] = "ping"
    """The method."""
    params: RequestParams | None = None
    """What it is about."""


class ProgressNotificationParams(NotificationParams):
    """Params of `notifications/progress`."""

    progress_token: ProgressToken
    """The token the request came with."""
    progress: float
    """How far it is; each time more than before."""
    total: float | None = None
    """How far it will go, if known."""
    message: str | None = None
    """What is being done, for the person. Since 2025-03-26."""


class ProgressNotification(Notification[ProgressNotificationParams, Literal["notifications/progress"]]):
    """Notification `notifications/progress` from either side."""

    method: Literal["notifications/progress"] = "notifications/progress"
    """The method."""
    params: ProgressNotificationParams
    """What it is about."""


class CancelledNotificationParams(NotificationParams):
    """Params of `notifications/cancelled`."""

    request_id: RequestId | None = None
    """The request to give up. Only 2025-11-25 lets it be absent."""
    reason: str | None = None
    """Why, for logs and people."""


class CancelledNotification(Notification[CancelledNotificationParams, Literal["notifications/cancelled"]]):
    """Notification `notifications/cancelled` from either side."""

    method: Literal["notifications/cancelled"] = "notifications/cancelled"
    """The method."""
    params: CancelledNotificationParams
    """What it is about."""
