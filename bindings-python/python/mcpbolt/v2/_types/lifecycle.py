"""How a session begins, and what concerns any request.

Written by `cargo xtask generate`; do not edit.
"""

from typing import Literal

from .base import Notification, NotificationParams, ProgressToken, Request, RequestParams, Result
from .capabilities import ClientCapabilities, ServerCapabilities
from .common import Implementation
from .jsonrpc import RequestId


class InitializeRequestParams(RequestParams):
    """Params of `initialize` (before 2026-07-28)."""

    protocol_version: str
    """The revision that the client prefers."""
    capabilities: ClientCapabilities
    """What the client can do."""
    client_info: Implementation
    """The name and version of the client."""


class InitializeRequest(Request[InitializeRequestParams, Literal["initialize"]]):
    """Request `initialize` from the client. Until 2025-11-25."""

    method: Literal["initialize"] = "initialize"
    """The method."""
    params: InitializeRequestParams
    """What it is about."""


class InitializeResult(Result):
    """Result of `initialize` (before 2026-07-28)."""

    protocol_version: str
    """The revision of the session."""
    capabilities: ServerCapabilities
    """What the server can do."""
    server_info: Implementation
    """The name and version of the server."""
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
    """How much is done; increases with each report."""
    total: float | None = None
    """The value of `progress` when the work is complete, if known."""
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
    """The request to cancel. Only 2025-11-25 lets it be absent."""
    reason: str | None = None
    """The reason, for logs and people."""


class CancelledNotification(Notification[CancelledNotificationParams, Literal["notifications/cancelled"]]):
    """Notification `notifications/cancelled` from either side."""

    method: Literal["notifications/cancelled"] = "notifications/cancelled"
    """The method."""
    params: CancelledNotificationParams
    """What it is about."""
