"""prompts."""

from pydantic import ConfigDict, Field
from typing import Any, Literal
from ._model import OpenModel
from .base import Notification, NotificationParams, PaginatedRequest, PaginatedResult, Request, RequestParams, Result
from .common import BaseMetadata, Icon, Role
from .content import ContentBlock


class ListPromptsRequest(PaginatedRequest[Literal['prompts/list']]):
    method: Literal['prompts/list'] = 'prompts/list'


class PromptArgument(OpenModel):
    name: str
    description: str | None = None
    required: bool | None = None


class Prompt(BaseMetadata):
    model_config = ConfigDict(extra="allow")
    description: str | None = None
    arguments: list[PromptArgument] | None = None
    icons: list[Icon] | None = None
    meta: dict[str, Any] | None = Field(alias='_meta', default=None)


class ListPromptsResult(PaginatedResult):
    prompts: list[Prompt]


class GetPromptRequestParams(RequestParams):
    model_config = ConfigDict(extra="allow")
    name: str
    arguments: dict[str, str] | None = None


class GetPromptRequest(Request[GetPromptRequestParams, Literal['prompts/get']]):
    method: Literal['prompts/get'] = 'prompts/get'
    params: GetPromptRequestParams


class PromptMessage(OpenModel):
    role: Role
    content: ContentBlock


class GetPromptResult(Result):
    description: str | None = None
    messages: list[PromptMessage]


class PromptListChangedNotification(Notification[NotificationParams | None, Literal['notifications/prompts/list_changed']]):
    method: Literal['notifications/prompts/list_changed'] = 'notifications/prompts/list_changed'
    params: NotificationParams | None = None



