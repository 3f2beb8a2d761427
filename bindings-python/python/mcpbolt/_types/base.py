"""What requests, notifications and results are made of.

Knows no method. Written by hand: the official package has these classes, the protocol
does not name them.
"""

from typing import Annotated, Any, Generic, TypeAlias, TypeVar

from pydantic import Field

from ._model import Model, OpenModel, StrictInt

ProgressToken: TypeAlias = str | int
"""Names a request in its progress notifications."""

Cursor: TypeAlias = str
"""Where a page of a list starts. Only the server knows what it means."""

RequestId: TypeAlias = Annotated[int, Field(strict=True)] | str
"""Names a request."""

MethodT = TypeVar("MethodT", bound=str)
"""The method of a message."""


class TaskMetadata(OpenModel):
    """Asks for a request to run as a task. 2025-11-25 only."""

    ttl: StrictInt | None = None
    """How long to keep the task once created, in milliseconds."""


class RequestParams(Model):
    """What all requests may carry."""

    class Meta(OpenModel):
        """Metadata of a request."""

        progressToken: ProgressToken | None = None
        """Asks for progress notifications under this name."""

        @property
        def progress_token(self) -> ProgressToken | None:
            """`progressToken`."""
            return self.progressToken

    task: TaskMetadata | None = None
    """Asks to run as a task. 2025-11-25 only."""
    meta: Meta | None = Field(alias="_meta", default=None)
    """Metadata of the protocol and of extensions."""


class PaginatedRequestParams(RequestParams):
    """Params of the list methods."""

    cursor: Cursor | None = None
    """Where the page starts: a `nextCursor` of the same list. Absent for the first."""


RequestParamsT = TypeVar("RequestParamsT", bound=RequestParams | dict[str, Any] | None)
"""The params of a request."""


class NotificationParams(Model):
    """What all notifications may carry."""

    class Meta(OpenModel):
        """Metadata of a notification."""

    meta: Meta | None = Field(alias="_meta", default=None)
    """Metadata of the protocol and of extensions."""


NotificationParamsT = TypeVar("NotificationParamsT", bound=NotificationParams | dict[str, Any] | None)
"""The params of a notification."""


class Request(OpenModel, Generic[RequestParamsT, MethodT]):
    """A request without its envelope."""

    method: MethodT
    """The method."""
    params: RequestParamsT
    """What it is about."""


class PaginatedRequest(Request[PaginatedRequestParams | None, MethodT], Generic[MethodT]):
    """A request for a page of a list."""

    params: PaginatedRequestParams | None = None
    """Which page."""


class Notification(OpenModel, Generic[NotificationParamsT, MethodT]):
    """A notification without its envelope."""

    method: MethodT
    """The method."""
    params: NotificationParamsT
    """What it is about."""


class Result(OpenModel):
    """What all results may carry."""

    meta: dict[str, Any] | None = Field(alias="_meta", default=None)
    """Metadata of the protocol and of extensions."""


class PaginatedResult(Result):
    """A page of a list."""

    nextCursor: Cursor | None = None
    """Where the next page starts; absent on the last."""

    @property
    def next_cursor(self) -> Cursor | None:
        """`nextCursor`."""
        return self.nextCursor


class EmptyResult(Result):
    """A result without members of its own."""
