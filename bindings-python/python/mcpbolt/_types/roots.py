"""roots."""

from pydantic import Field
from typing import Any, Literal
from ._model import OpenModel, RootUri
from .base import Notification, NotificationParams, Request, RequestParams, Result


class ListRootsRequest(Request[RequestParams | None, Literal['roots/list']]):
    method: Literal['roots/list'] = 'roots/list'
    params: RequestParams | None = None


class Root(OpenModel):
    uri: RootUri
    name: str | None = None
    meta: dict[str, Any] | None = Field(alias='_meta', default=None)


class ListRootsResult(Result):
    roots: list[Root]


class RootsListChangedNotification(Notification[NotificationParams | None, Literal['notifications/roots/list_changed']]):
    method: Literal['notifications/roots/list_changed'] = 'notifications/roots/list_changed'
    params: NotificationParams | None = None



