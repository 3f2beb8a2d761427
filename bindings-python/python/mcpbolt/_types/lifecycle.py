"""How a session begins, and what concerns any request.

Written by `cargo xtask generate`; do not edit.
"""

from typing import Literal

from .base import Notification, NotificationParams, ProgressToken, Request, RequestId, RequestParams, Result
from .capabilities import ClientCapabilities, ServerCapabilities
from .common import Implementation


class InitializeRequestParams(RequestParams, extra="allow"):
    """Params of `initialize` (before 2026-07-28)."""

    protocolVersion: str | int
    """The revision that the client prefers."""
    capabilities: ClientCapabilities
    """What the client can do."""
    clientInfo: Implementation
    """The name and version of the client."""

    @property
    def protocol_version(self) -> str | int:
        """`protocolVersion`."""
        return self.protocolVersion

    @property
    def client_info(self) -> Implementation:
        """`clientInfo`."""
        return self.clientInfo


class InitializeRequest(Request[InitializeRequestParams, Literal["initialize"]]):
    """Request `initialize` from the client. Until 2025-11-25."""

    method: Literal["initialize"] = "initialize"
    """The method."""
    params: InitializeRequestParams
    """What it is about."""


class InitializeResult(Result):
    """Result of `initialize` (before 2026-07-28)."""

    protocolVersion: str | int
    """The revision of the session."""
    capabilities: ServerCapabilities
    """What the server can do."""
    serverInfo: Implementation
    """The name and version of the server."""
    instructions: str | None = None
    """How to use the server, for the model."""

    @property
    def protocol_version(self) -> str | int:
        """`protocolVersion`."""
        return self.protocolVersion

    @property
    def server_info(self) -> Implementation:
        """`serverInfo`."""
        return self.serverInfo


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


class ProgressNotificationParams(NotificationParams, extra="allow"):
    """Params of `notifications/progress`."""

    progressToken: ProgressToken
    """The token the request came with."""
    progress: float
    """How much is done; increases with each report."""
    total: float | None = None
    """The value of `progress` when the work is complete, if known."""
    message: str | None = None
    """What is being done, for the person. Since 2025-03-26."""

    @property
    def progress_token(self) -> ProgressToken:
        """`progressToken`."""
        return self.progressToken


class ProgressNotification(Notification[ProgressNotificationParams, Literal["notifications/progress"]]):
    """Notification `notifications/progress` from either side."""

    method: Literal["notifications/progress"] = "notifications/progress"
    """The method."""
    params: ProgressNotificationParams
    """What it is about."""


class CancelledNotificationParams(NotificationParams, extra="allow"):
    """Params of `notifications/cancelled`."""

    requestId: RequestId | None = None
    """The request to cancel. Only 2025-11-25 lets it be absent."""
    reason: str | None = None
    """The reason, for logs and people."""

    @property
    def request_id(self) -> RequestId | None:
        """`requestId`."""
        return self.requestId


class CancelledNotification(Notification[CancelledNotificationParams, Literal["notifications/cancelled"]]):
    """Notification `notifications/cancelled` from either side."""

    method: Literal["notifications/cancelled"] = "notifications/cancelled"
    """The method."""
    params: CancelledNotificationParams
    """What it is about."""
