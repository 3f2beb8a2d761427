"""What a session does by default with what a server sends on its own.

Owns: these functions. Must not know: the session.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..shared.context import RequestContext
    from ..shared.session import RequestResponder
    from ..types import (
        ClientResult,
        CreateMessageRequestParams,
        CreateMessageResult,
        CreateMessageResultWithTools,
        ElicitRequestParams,
        ElicitResult,
        ErrorData,
        ListRootsResult,
        LoggingMessageNotificationParams,
        ServerNotification,
        ServerRequest,
    )


INVALID_REQUEST = -32600


async def default_message_handler(
    message: RequestResponder[ServerRequest, ClientResult] | ServerNotification | Exception,
) -> None:
    """Ignore the message."""


def _refused(what: str, context: RequestContext[Any, Any]) -> ErrorData:
    models: Any = context.session.models
    found: ErrorData = models.ErrorData(code=INVALID_REQUEST, message=f"{what} not supported")
    return found


async def default_sampling_callback(
    context: RequestContext[Any, Any], params: CreateMessageRequestParams
) -> CreateMessageResult | CreateMessageResultWithTools | ErrorData:
    """Refuse: the client does not support sampling."""
    return _refused("Sampling", context)


async def default_elicitation_callback(
    context: RequestContext[Any, Any], params: ElicitRequestParams
) -> ElicitResult | ErrorData:
    """Refuse: the client does not support elicitation."""
    return _refused("Elicitation", context)


async def default_list_roots_callback(
    context: RequestContext[Any, Any],
) -> ListRootsResult | ErrorData:
    """Refuse: the client has no roots."""
    return _refused("List roots", context)


async def default_logging_callback(params: LoggingMessageNotificationParams) -> None:
    """Ignore the log message."""
