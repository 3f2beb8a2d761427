"""The functions a client gives a session, and what a session does without them."""

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
    """Has a model write a message.

    .. deprecated:: 2026-07-28
       sampling, SEP-2577; earliest removal 2027-07-28. Call the model's provider from the
       server.
    """

    async def __call__(
        self, context: RequestContext[ClientSession, Any], params: CreateMessageRequestParams
    ) -> CreateMessageResult | CreateMessageResultWithTools | ErrorData:
        """The message, or why none was made."""
        ...


class ElicitationFnT(Protocol):
    """Asks the user."""

    async def __call__(
        self, context: RequestContext[ClientSession, Any], params: ElicitRequestParams
    ) -> ElicitResult | ErrorData:
        """What the user did."""
        ...


class ListRootsFnT(Protocol):
    """Says where a server may work.

    .. deprecated:: 2026-07-28
       roots, SEP-2577; earliest removal 2027-07-28. Pass folders and files as tool parameters,
       resource URIs or settings of the server.
    """

    async def __call__(self, context: RequestContext[ClientSession, Any]) -> ListRootsResult | ErrorData:
        """The roots."""
        ...


class LoggingFnT(Protocol):
    """Takes log messages of a server.

    .. deprecated:: 2026-07-28
       logging, SEP-2577; earliest removal 2027-07-28. Write to stderr on stdio; use
       OpenTelemetry elsewhere.
    """

    async def __call__(self, params: LoggingMessageNotificationParams) -> None:
        """Take one."""
        ...


class MessageHandlerFnT(Protocol):
    """Takes messages that no other callback took."""

    async def __call__(
        self, message: RequestResponder[ServerRequest, ClientResult] | ServerNotification | Exception
    ) -> None:
        """A request that is not answered yet, a notification, or what went wrong."""
        ...


async def default_message_handler(
    message: RequestResponder[ServerRequest, ClientResult] | ServerNotification | Exception,
) -> None:
    """Nothing."""


def _refused(what: str) -> ErrorData:
    from ..types import INVALID_REQUEST, ErrorData

    return ErrorData(code=INVALID_REQUEST, message=f"{what} not supported")


async def default_sampling_callback(
    context: RequestContext[ClientSession, Any], params: CreateMessageRequestParams
) -> CreateMessageResult | CreateMessageResultWithTools | ErrorData:
    """A refusal."""
    return _refused("Sampling")


async def default_elicitation_callback(
    context: RequestContext[ClientSession, Any], params: ElicitRequestParams
) -> ElicitResult | ErrorData:
    """A refusal."""
    return _refused("Elicitation")


async def default_list_roots_callback(
    context: RequestContext[ClientSession, Any],
) -> ListRootsResult | ErrorData:
    """A refusal."""
    return _refused("List roots")


async def default_logging_callback(params: LoggingMessageNotificationParams) -> None:
    """Nothing."""
