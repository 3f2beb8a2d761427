"""Roots: the places a client lets a server work in.

Written by `cargo xtask generate`; do not edit.
"""

from typing import Any, Literal

from pydantic import Field, FileUrl

from ._model import Model
from .base import Notification, NotificationParams, Request, RequestParams, Result


class ListRootsRequest(Request[RequestParams | None, Literal["roots/list"]]):
    """Request `roots/list` from the server. Until 2025-11-25.

    .. deprecated:: 2026-07-28
       roots, SEP-2577; earliest removal 2027-07-28. Pass folders and files as tool parameters,
       resource URIs or settings of the server.
    """

    method: Literal["roots/list"] = "roots/list"
    """The method."""
    params: RequestParams | None = None
    """What it is about."""


class Root(Model):
    """A place.

    .. deprecated:: 2026-07-28
       roots, SEP-2577; earliest removal 2027-07-28. Pass folders and files as tool parameters,
       resource URIs or settings of the server.
    """

    uri: FileUrl
    """Any absolute URI; the specification speaks of `file:` ones."""
    name: str | None = None
    """Its name for people."""
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)
    """Metadata of the protocol and of extensions."""


class ListRootsResult(Result):
    """Result of `roots/list`.

    .. deprecated:: 2026-07-28
       roots, SEP-2577; earliest removal 2027-07-28. Pass folders and files as tool parameters,
       resource URIs or settings of the server.
    """

    roots: list[Root]
    """The places."""


class RootsListChangedNotification(Notification[NotificationParams | None, Literal["notifications/roots/list_changed"]]):
    """Notification `notifications/roots/list_changed` from the client. Until 2025-11-25.

    .. deprecated:: 2026-07-28
       roots, SEP-2577; earliest removal 2027-07-28. Pass folders and files as tool parameters,
       resource URIs or settings of the server.
    """

    method: Literal["notifications/roots/list_changed"] = "notifications/roots/list_changed"
    """The method."""
    params: NotificationParams | None = None
    """What it is about."""
