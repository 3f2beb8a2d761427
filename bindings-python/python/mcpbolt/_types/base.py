"""base."""

from pydantic import Field
from typing import Annotated, Any, Generic, TypeAlias, TypeVar
from ._model import Model, OpenModel


ProgressToken: TypeAlias = str | int

Cursor: TypeAlias = str

RequestId: TypeAlias = Annotated[int, Field(strict=True)] | str

MethodT = TypeVar('MethodT', bound=str)

class TaskMetadata(OpenModel):
    ttl: Annotated[int, Field(strict=True)] | None = None


class RequestParams(Model):
    class Meta(OpenModel):
        progressToken: ProgressToken | None = None

        @property
        def progress_token(self) -> ProgressToken | None:
            return self.progressToken

    task: TaskMetadata | None = None
    meta: Meta | None = Field(alias='_meta', default=None)


class PaginatedRequestParams(RequestParams):
    cursor: Cursor | None = None


RequestParamsT = TypeVar('RequestParamsT', bound=RequestParams | dict[str, Any] | None)

class NotificationParams(Model):
    class Meta(OpenModel):
        pass

    meta: Meta | None = Field(alias='_meta', default=None)


NotificationParamsT = TypeVar('NotificationParamsT', bound=NotificationParams | dict[str, Any] | None)

class Request(OpenModel, Generic[RequestParamsT, MethodT]):
    method: MethodT
    params: RequestParamsT


class PaginatedRequest(Request[PaginatedRequestParams | None, MethodT], Generic[MethodT]):
    params: PaginatedRequestParams | None = None


class Notification(OpenModel, Generic[NotificationParamsT, MethodT]):
    method: MethodT
    params: NotificationParamsT


class Result(OpenModel):
    meta: dict[str, Any] | None = Field(alias='_meta', default=None)


class PaginatedResult(Result):
    nextCursor: Cursor | None = None

    @property
    def next_cursor(self) -> Cursor | None:
        return self.nextCursor


class EmptyResult(Result):
    pass



