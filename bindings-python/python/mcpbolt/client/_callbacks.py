"""The types of a session's callbacks, and their defaults."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

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
    from .session import ClientSession


class SamplingFnT(Protocol):
    """Answers a server's request for a message of a language model.

    .. deprecated:: 2026-07-28
       sampling, SEP-2577; earliest removal 2027-07-28. Call the model's provider from the
       server.
    """

    async def __call__(
        self, context: RequestContext[ClientSession, Any], params: CreateMessageRequestParams
    ) -> CreateMessageResult | CreateMessageResultWithTools | ErrorData:
        """Return the message, or `ErrorData` with the reason why there is none."""
        ...


class ElicitationFnT(Protocol):
    """Asks the user a question of the server."""

    async def __call__(
        self, context: RequestContext[ClientSession, Any], params: ElicitRequestParams
    ) -> ElicitResult | ErrorData:
        """Return what the user did: accept with content, decline, or cancel; or `ErrorData`."""
        ...


class ListRootsFnT(Protocol):
    """Answers which folders and files a server may work on.

    .. deprecated:: 2026-07-28
       roots, SEP-2577; earliest removal 2027-07-28. Pass folders and files as tool parameters,
       resource URIs or settings of the server.
    """

    async def __call__(self, context: RequestContext[ClientSession, Any]) -> ListRootsResult | ErrorData:
        """Return the roots, or `ErrorData`."""
        ...


class LoggingFnT(Protocol):
    """Handles log messages of a server.

    .. deprecated:: 2026-07-28
       logging, SEP-2577; earliest removal 2027-07-28. Write to stderr on stdio; use
       OpenTelemetry elsewhere.
    """

    async def __call__(self, params: LoggingMessageNotificationParams) -> None:
        """Handle one log message."""
        ...


class MessageHandlerFnT(Protocol):
    """Handles all messages that no other callback answered."""

    async def __call__(
        self, message: RequestResponder[ServerRequest, ClientResult] | ServerNotification | Exception
    ) -> None:
        """Handle a notification, a request that is not answered yet, or a transport error,
        which comes as an exception.
        """
        ...


async def default_message_handler(
    message: RequestResponder[ServerRequest, ClientResult] | ServerNotification | Exception,
) -> None:
    """Ignore the message."""


def _refused(what: str) -> ErrorData:
    from ..types import INVALID_REQUEST, ErrorData

    return ErrorData(code=INVALID_REQUEST, message=f"{what} not supported")


async def default_sampling_callback(
    context: RequestContext[ClientSession, Any], params: CreateMessageRequestParams
) -> CreateMessageResult | CreateMessageResultWithTools | ErrorData:
    """Refuse: the client does not support sampling."""
    return _refused("Sampling")


async def default_elicitation_callback(
    context: RequestContext[ClientSession, Any], params: ElicitRequestParams
) -> ElicitResult | ErrorData:
    """Refuse: the client does not support elicitation."""
    return _refused("Elicitation")


async def default_list_roots_callback(
    context: RequestContext[ClientSession, Any],
) -> ListRootsResult | ErrorData:
    """Refuse: the client has no roots."""
    return _refused("List roots")


async def default_logging_callback(params: LoggingMessageNotificationParams) -> None:
    """Ignore the log message."""
