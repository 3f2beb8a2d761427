"""What requests, notifications and results of 2.x are made of.

Owns: their common members. Must not know: any method. Written by hand: the official package
has these classes, the protocol does not name them.
"""

from typing import Annotated, Any, ClassVar, Generic, Literal, TypeAlias, TypeVar

from pydantic import Field, model_validator
from typing_extensions import NotRequired, Self, TypedDict

from ._model import Model

ProgressToken: TypeAlias = str | int
"""Names a request in its progress notifications."""

ResultType: TypeAlias = Literal["complete", "input_required"] | str
"""The kind of a result. Without one, it is complete."""

MethodT = TypeVar("MethodT", bound=str)
"""The method of a message."""


class RequestParamsMeta(TypedDict, extra_items=Any):  # type: ignore[call-arg, unused-ignore]
    """The `_meta` of a request's params: any members, of which one is spelt in snake_case here."""

    progress_token: NotRequired[ProgressToken]
    """Asks for progress notifications under this name."""


class TaskMetadata(Model):
    """Asks for a request to run as a task. 2025-11-25 only."""

    ttl: int | None = None
    """How long to keep the task once created, in milliseconds."""


class RequestParams(Model):
    """What all requests may carry."""

    meta: RequestParamsMeta | None = Field(alias="_meta", default=None)
    """Metadata of the protocol and of extensions."""


class PaginatedRequestParams(RequestParams):
    """Params of the list methods."""

    cursor: str | None = None
    """Where the page starts: a `next_cursor` of the same list. Absent for the first."""


class NotificationParams(Model):
    """What all notifications may carry."""

    meta: dict[str, Any] | None = Field(alias="_meta", default=None)
    """Metadata of the protocol and of extensions."""


RequestParamsT = TypeVar("RequestParamsT", bound=RequestParams | dict[str, Any] | None)
"""The params of a request."""

NotificationParamsT = TypeVar("NotificationParamsT", bound=NotificationParams | dict[str, Any] | None)
"""The params of a notification."""


class Request(Model, Generic[RequestParamsT, MethodT]):
    """A request without its envelope."""

    method: MethodT
    """The method."""
    params: RequestParamsT
    """What it is about."""

    name_param: ClassVar[str | None] = None
    """The member of the params that the header `Mcp-Name` repeats; subclasses name theirs."""


class PaginatedRequest(Request[PaginatedRequestParams | None, MethodT], Generic[MethodT]):
    """A request for a page of a list."""

    params: PaginatedRequestParams | None = None
    """Which page."""


class Notification(Model, Generic[NotificationParamsT, MethodT]):
    """A notification without its envelope."""

    method: MethodT
    """The method."""
    params: NotificationParamsT
    """What it is about."""


class Result(Model):
    """What all results may carry."""

    meta: dict[str, Any] | None = Field(alias="_meta", default=None)
    """Metadata of the protocol and of extensions."""


class PaginatedResult(Result):
    """A page of a list."""

    next_cursor: str | None = None
    """Where the next page starts; absent on the last."""


class CacheableResult(Result):
    """A result that says for how long it may be kept, and by whom. Since 2026-07-28."""

    ttl_ms: Annotated[int, Field(ge=0)] = 0
    """For how long, in milliseconds."""
    cache_scope: Literal["public", "private"] = "private"
    """Whether a cache that others share may keep it."""


    def __unsaid__(self) -> set[str]:
        """What nobody gave, and the server's hints say where there are some."""
        return {"ttl_ms", "cache_scope"} - self.model_fields_set


class AskingResult(Result):
    """A result that asks for a further call: what is to be answered, or a state, must be in it."""

    @model_validator(mode="after")
    def _require_one_field(self) -> Self:
        found: Any = self
        if not found.input_requests and found.request_state is None:
            raise ValueError("InputRequiredResult requires at least one of input_requests or request_state")
        return self


class EmptyResult(Result):
    """A result without members of its own."""

    result_type: ResultType | None = None
    """Not sent unless it is given: peers of earlier revisions take no further members."""
