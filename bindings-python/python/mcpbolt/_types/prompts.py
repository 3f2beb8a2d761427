"""Prompts: what they are, how they are fetched.

Written by `cargo xtask generate`; do not edit.
"""

from typing import Any, ClassVar, Literal

from pydantic import Field

from ._model import OpenModel
from .base import (
    Notification,
    NotificationParams,
    PaginatedRequest,
    PaginatedResult,
    Request,
    RequestParams,
    Result,
)
from .common import BaseMetadata, Icon, Role
from .content import ContentBlock


class ListPromptsRequest(PaginatedRequest[Literal["prompts/list"]]):
    """Request `prompts/list` from the client."""

    method: Literal["prompts/list"] = "prompts/list"
    """The method."""


class PromptArgument(OpenModel):
    """One argument of a prompt."""

    name: str
    """Its name for programs."""
    description: str | None = None
    """A description of the argument."""
    required: bool | None = None
    """Whether it must be given. Taken as false when absent."""

    __later__: ClassVar[tuple[str, ...]] = ("title",)

    @property
    def title(self) -> str | None:
        """Its name for people. Since 2025-06-18."""
        value: str | None = self.__later_value__("title")
        return value


class Prompt(BaseMetadata, extra="allow"):
    """A prompt or a template of one."""

    description: str | None = None
    """A description of the prompt."""
    arguments: list[PromptArgument] | None = None
    """The arguments of the prompt."""
    icons: list[Icon] | None = None
    """Icons. Since 2025-11-25."""
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)
    """Metadata of the protocol and of extensions."""


class ListPromptsResult(PaginatedResult):
    """Result of `prompts/list`."""

    prompts: list[Prompt]
    """The prompts of this page."""

    __later__: ClassVar[tuple[str, ...]] = ("ttlMs", "cacheScope")

    @property
    def ttlMs(self) -> int | None:
        """How long this may be kept, in milliseconds. Since 2026-07-28."""
        value: int | None = self.__later_value__("ttlMs")
        return value

    @property
    def ttl_ms(self) -> int | None:
        """`ttlMs`."""
        value: int | None = self.__later_value__("ttlMs")
        return value

    @property
    def cacheScope(self) -> str | None:
        """Who may keep it. Since 2026-07-28."""
        value: str | None = self.__later_value__("cacheScope")
        return value

    @property
    def cache_scope(self) -> str | None:
        """`cacheScope`."""
        value: str | None = self.__later_value__("cacheScope")
        return value


class GetPromptRequestParams(RequestParams, extra="allow"):
    """Params of `prompts/get`."""

    name: str
    """The name of the prompt."""
    arguments: dict[str, str] | None = None
    """The arguments by name, in the caller's order."""

    __later__: ClassVar[tuple[str, ...]] = ("inputResponses", "requestState")

    @property
    def inputResponses(self) -> dict[str, Any] | None:
        """Answers to an earlier `input_required`. Since 2026-07-28."""
        value: dict[str, Any] | None = self.__later_value__("inputResponses")
        return value

    @property
    def input_responses(self) -> dict[str, Any] | None:
        """`inputResponses`."""
        value: dict[str, Any] | None = self.__later_value__("inputResponses")
        return value

    @property
    def requestState(self) -> str | None:
        """What the earlier `input_required` asked to be sent back. Since 2026-07-28."""
        value: str | None = self.__later_value__("requestState")
        return value

    @property
    def request_state(self) -> str | None:
        """`requestState`."""
        value: str | None = self.__later_value__("requestState")
        return value


class GetPromptRequest(Request[GetPromptRequestParams, Literal["prompts/get"]]):
    """Request `prompts/get` from the client."""

    method: Literal["prompts/get"] = "prompts/get"
    """The method."""
    params: GetPromptRequestParams
    """What it is about."""


class PromptMessage(OpenModel):
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


class PromptListChangedNotification(Notification[NotificationParams | None, Literal["notifications/prompts/list_changed"]]):
    """Notification `notifications/prompts/list_changed` from the server."""

    method: Literal["notifications/prompts/list_changed"] = "notifications/prompts/list_changed"
    """The method."""
    params: NotificationParams | None = None
    """What it is about."""
