"""Elicitation: a server asks the person.

Written by `cargo xtask generate`; do not edit.
"""

from typing import Any, Literal, TypeAlias

from ._model import Model
from .base import Notification, NotificationParams, Request, RequestParams, Result, TaskMetadata


class ElicitCompleteNotificationParams(NotificationParams):
    """Params of `notifications/elicitation/complete`. 2025-11-25 only."""

    elicitation_id: str
    """The id of the elicitation that is done."""


class ElicitCompleteNotification(Notification[ElicitCompleteNotificationParams, Literal["notifications/elicitation/complete"]]):
    """Notification `notifications/elicitation/complete` from the server. 2025-11-25 only."""

    method: Literal["notifications/elicitation/complete"] = "notifications/elicitation/complete"
    """The method."""
    params: ElicitCompleteNotificationParams
    """What it is about."""

ElicitRequestedSchema: TypeAlias = dict[str, Any]
"""The JSON Schema of a form: an object whose properties are fields. Kept as text, so that
any schema passes unchanged.
"""


class ElicitRequestFormParams(RequestParams):
    """A question with a form."""

    mode: Literal["form"] = "form"
    """`form`, or absent, which means the same and is understood by every revision."""
    message: str
    """The question, as shown to the user."""
    requested_schema: ElicitRequestedSchema
    """The fields."""
    task: TaskMetadata | None = None
    """Asks to run as a task. 2025-11-25 only."""


class ElicitRequestURLParams(RequestParams):
    """A request to visit a page. Since 2025-11-25."""

    mode: Literal["url"] = "url"
    """Always `url`."""
    message: str
    """Why to visit the page, as shown to the user."""
    url: str
    """The URL of the page."""
    elicitation_id: str | None = None
    """Names this elicitation; required where it exists. 2025-11-25 only."""
    task: TaskMetadata | None = None
    """Asks to run as a task. 2025-11-25 only."""

ElicitRequestParams: TypeAlias = ElicitRequestURLParams | ElicitRequestFormParams
"""Params of `elicitation/create`. Since 2025-06-18."""


class ElicitRequest(Request[ElicitRequestParams, Literal["elicitation/create"]]):
    """Request `elicitation/create` from the server. 2025-06-18 to 2025-11-25."""

    method: Literal["elicitation/create"] = "elicitation/create"
    """The method."""
    params: ElicitRequestParams
    """What it is about."""


class ElicitResult(Result):
    """Result of `elicitation/create`."""

    action: Literal["accept", "decline", "cancel"]
    """What the person did."""
    content: dict[str, str | int | float | bool | list[str] | None] | None = None
    """The answers by field; only for an accepted form."""


class ElicitationRequiredErrorData(Model):
    """The `data` of the error that pages must be visited first. 2025-11-25 only."""

    elicitations: list[ElicitRequestURLParams]
    """The pages."""
