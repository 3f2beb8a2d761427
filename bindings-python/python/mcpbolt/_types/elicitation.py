"""elicitation."""

from pydantic import ConfigDict
from typing import Any, Literal, TypeAlias
from ._model import OpenModel
from .base import Notification, NotificationParams, Request, RequestParams, Result


ElicitRequestedSchema: TypeAlias = dict[str, Any]

class ElicitRequestFormParams(RequestParams):
    model_config = ConfigDict(extra="allow")
    mode: Literal['form'] = 'form'
    message: str
    requestedSchema: ElicitRequestedSchema

    @property
    def requested_schema(self) -> ElicitRequestedSchema:
        return self.requestedSchema


class ElicitRequestURLParams(RequestParams):
    model_config = ConfigDict(extra="allow")
    mode: Literal['url'] = 'url'
    message: str
    url: str
    elicitationId: str

    @property
    def elicitation_id(self) -> str:
        return self.elicitationId


ElicitRequestParams: TypeAlias = ElicitRequestURLParams | ElicitRequestFormParams

class ElicitRequest(Request[ElicitRequestParams, Literal['elicitation/create']]):
    method: Literal['elicitation/create'] = 'elicitation/create'
    params: ElicitRequestParams


class ElicitResult(Result):
    action: Literal['accept', 'decline', 'cancel']
    content: dict[str, str | int | float | bool | list[str] | None] | None = None


class ElicitCompleteNotificationParams(NotificationParams):
    model_config = ConfigDict(extra="allow")
    elicitationId: str

    @property
    def elicitation_id(self) -> str:
        return self.elicitationId


class ElicitCompleteNotification(Notification[ElicitCompleteNotificationParams, Literal['notifications/elicitation/complete']]):
    method: Literal['notifications/elicitation/complete'] = 'notifications/elicitation/complete'
    params: ElicitCompleteNotificationParams


class ElicitationRequiredErrorData(OpenModel):
    elicitations: list[ElicitRequestURLParams]



