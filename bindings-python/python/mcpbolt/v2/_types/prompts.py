"""Prompts: how they are listed and fetched.

Written by `cargo xtask generate`; do not edit.
"""

from typing import Literal

from ._model import Model
from .base import (
    CacheableResult,
    Notification,
    NotificationParams,
    PaginatedRequest,
    PaginatedResult,
    Request,
    Result,
    ResultType,
)
from .common import Role
from .content import ContentBlock
from .listed import Prompt
from .questions import InputResponseRequestParams


class ListPromptsRequest(PaginatedRequest[Literal["prompts/list"]]):
    """Request `prompts/list` from the client."""

    method: Literal["prompts/list"] = "prompts/list"
    """The method."""


class ListPromptsResult(PaginatedResult, CacheableResult):
    """Result of `prompts/list`."""

    prompts: list[Prompt]
    """The prompts of this page."""
    result_type: ResultType = "complete"
    """What kind of result this is. Since 2026-07-28."""


class GetPromptRequestParams(InputResponseRequestParams):
    """Params of `prompts/get`."""

    name: str
    """The name of the prompt."""
    arguments: dict[str, str] | None = None
    """The arguments by name, in the caller's order."""


class GetPromptRequest(Request[GetPromptRequestParams, Literal["prompts/get"]]):
    """Request `prompts/get` from the client."""

    method: Literal["prompts/get"] = "prompts/get"
    """The method."""
    params: GetPromptRequestParams
    """What it is about."""


class PromptMessage(Model):
    """One message of a prompt."""

    role: Role
    """The role of the sender."""
    content: ContentBlock
    """The content of the message."""


class GetPromptResult(Result):
    """Result of `prompts/get`."""

    description: str | None = None
    """A description of the prompt."""
    messages: list[PromptMessage]
    """The messages."""
    result_type: ResultType = "complete"
    """What kind of result this is. Since 2026-07-28."""


class PromptListChangedNotification(Notification[NotificationParams | None, Literal["notifications/prompts/list_changed"]]):
    """Notification `notifications/prompts/list_changed` from the server."""

    method: Literal["notifications/prompts/list_changed"] = "notifications/prompts/list_changed"
    """The method."""
    params: NotificationParams | None = None
    """What it is about."""
