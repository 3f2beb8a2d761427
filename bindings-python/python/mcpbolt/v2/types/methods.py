"""`mcp_types.methods`: which revision has which messages, and reading them as models.

Owns: the tables of 2.x by method and revision, made from the engine's table of methods and the
models. Must not know: how messages are carried, and what the engine checks by itself.

The maps whose names begin with a side are keyed by method and revision: a key that is missing
means that the revision has no such message, and the value is its shape on the wire. Those that
begin with `MONOLITH` are keyed by method alone and have the models programs get.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType, UnionType
from typing import Any, Final, TypeGuard, cast, get_args

from pydantic import BaseModel

from .. import types
from ..._engine.protocol import LEGACY_REVISIONS, METHODS, CacheableMethod, Method
from ._shapes import Surface, adapter, check, read, row, shape
from ._surface import Era, framed, surface
from .version import KNOWN_PROTOCOL_VERSIONS

__all__ = [
    "CACHEABLE_METHODS",
    "CLIENT_NOTIFICATIONS",
    "CLIENT_REQUESTS",
    "CLIENT_RESULTS",
    "INPUT_REQUIRED_METHODS",
    "MONOLITH_NOTIFICATIONS",
    "MONOLITH_REQUESTS",
    "MONOLITH_RESULTS",
    "SERVER_NOTIFICATIONS",
    "SERVER_REQUESTS",
    "SERVER_RESULTS",
    "SPEC_CLIENT_METHODS",
    "SPEC_CLIENT_NOTIFICATION_METHODS",
    "CacheableMethod",
    "is_input_required",
    "parse_client_notification",
    "parse_client_request",
    "parse_client_result",
    "parse_server_notification",
    "parse_server_request",
    "parse_server_result",
    "serialize_server_result",
    "validate_client_notification",
    "validate_client_request",
    "validate_client_result",
    "validate_server_result",
]

# What requests are answered with, where the class of the result is not named like the request.
_EMPTY = frozenset({"logging/setLevel", "ping", "resources/subscribe", "resources/unsubscribe"})
# The first is taken where an answer fits both.
_SAMPLED = types.CreateMessageResult | types.CreateMessageResultWithTools


def _is_ours(name: str, row: Method) -> bool:
    """Whether 2.x has the method: tasks are an extension there."""
    return "tasks" not in row.capability and not name.startswith(("tasks/", "notifications/tasks"))


def _result_of(name: str, row: Method) -> Any:
    if name == "sampling/createMessage":
        return _SAMPLED
    found = types.EmptyResult if name in _EMPTY else getattr(types, row.model.removesuffix("Request") + "Result")
    return found | types.InputRequiredResult if row.may_require_input else found


_ROWS: Final[dict[str, Method]] = {name: row for name, row in METHODS.items() if _is_ours(name, row)}

MONOLITH_REQUESTS: Final[Mapping[str, type[types.Request[Any, Any]]]] = MappingProxyType(
    {name: getattr(types, row.model) for name, row in _ROWS.items() if row.is_request}
)
"""The model of each request, of either side."""

MONOLITH_NOTIFICATIONS: Final[Mapping[str, type[types.Notification[Any, Any]]]] = MappingProxyType(
    {name: getattr(types, row.model) for name, row in _ROWS.items() if not row.is_request}
)
"""The model of each notification, of either side."""

MONOLITH_RESULTS: Final[Mapping[str, type[types.Result] | UnionType]] = MappingProxyType(
    {name: _result_of(name, row) for name, row in _ROWS.items() if row.is_request}
)
"""The model of the result of each request, or the union of two."""


def _era(revision: str) -> Era:
    return "legacy" if revision in LEGACY_REVISIONS else "modern"


def _revisions(row: Method) -> tuple[str, ...]:
    known = KNOWN_PROTOCOL_VERSIONS
    end = len(known) if row.until is None else known.index(row.until) + 1
    return known[known.index(row.since) : end]


def _table(make: Callable[[str, Method, Era], Any], wanted: Callable[[str, Method, Era], bool]) -> Surface:
    found: dict[tuple[str, str], Any] = {}
    for revision in KNOWN_PROTOCOL_VERSIONS:
        era = _era(revision)
        for name, row in _ROWS.items():
            if revision in _revisions(row) and wanted(name, row, era):
                found[name, revision] = make(name, row, era)
    return MappingProxyType(found)


def _message(_: str, row: Method, era: Era) -> Any:
    return framed(getattr(types, row.model), era, row.is_request)


def _answer(name: str, _: Method, era: Era) -> Any:
    kind: Any = MONOLITH_RESULTS[name]
    if name == "sampling/createMessage":
        # One shape on the wire: content may be one block or several.
        return surface(types.CreateMessageResultWithTools, era)
    if era == "legacy" and isinstance(kind, UnionType):
        kind = get_args(kind)[0]
    return surface(kind, era)


def _sent_by(side: str, is_request: bool) -> Callable[[str, Method, Era], bool]:
    def wanted(name: str, row: Method, era: Era) -> bool:
        # Clients of the modern era report no progress.
        once = side == "client" and era == "modern" and name == "notifications/progress"
        return row.is_request == is_request and row.sent_by in (side, "both") and not once

    return wanted


CLIENT_REQUESTS: Final[Mapping[tuple[str, str], type[BaseModel]]] = _table(_message, _sent_by("client", True))
"""Requests of clients."""
CLIENT_NOTIFICATIONS: Final[Mapping[tuple[str, str], type[BaseModel]]] = _table(_message, _sent_by("client", False))
"""Notifications of clients."""
SERVER_REQUESTS: Final[Mapping[tuple[str, str], type[BaseModel]]] = _table(_message, _sent_by("server", True))
"""Requests of servers."""
SERVER_NOTIFICATIONS: Final[Mapping[tuple[str, str], type[BaseModel]]] = _table(_message, _sent_by("server", False))
"""Notifications of servers."""
SERVER_RESULTS: Final[Surface] = _table(_answer, _sent_by("client", True))
"""What servers answer to the requests of clients."""
CLIENT_RESULTS: Final[Surface] = _table(_answer, _sent_by("server", True))
"""What clients answer to the requests of servers."""

SPEC_CLIENT_METHODS: Final[frozenset[str]] = frozenset(name for name, _ in CLIENT_REQUESTS)
"""The requests that clients of any revision send."""
SPEC_CLIENT_NOTIFICATION_METHODS: Final[frozenset[str]] = frozenset(name for name, _ in CLIENT_NOTIFICATIONS)
"""The notifications that clients of any revision send."""
CACHEABLE_METHODS: Final[frozenset[str]] = frozenset(name for name, row in _ROWS.items() if row.cacheable)
"""The methods whose results say how long they may be kept."""
INPUT_REQUIRED_METHODS: Final[frozenset[str]] = frozenset(name for name, row in _ROWS.items() if row.may_require_input)
"""The methods that may be answered with questions."""


def is_input_required(result: object) -> TypeGuard[types.InputRequiredResult | dict[str, Any]]:
    """Whether a result, as a model or as on the wire, has questions instead of an answer.

    Args:
        result: The result.
    """
    if isinstance(result, types.InputRequiredResult):
        return True
    return isinstance(result, Mapping) and cast("Mapping[str, Any]", result).get("resultType") == "input_required"


def validate_client_request(
    method: str, version: str, params: Mapping[str, Any] | None, *, surface: Surface = CLIENT_REQUESTS
) -> None:
    """Check a request of a client.

    Args:
        method: The method.
        version: The revision.
        params: The params as on the wire.
        surface: The shapes by method and revision; give more to admit methods of your own.

    Raises:
        ValueError: There is no such revision, or the request does not fit (a `ValidationError`).
        KeyError: The revision has no such request.
    """
    check(surface, method, version, params, {"id": 0})


def parse_client_request(
    method: str,
    version: str,
    params: Mapping[str, Any] | None,
    *,
    surface: Surface = CLIENT_REQUESTS,
    monolith: Mapping[str, Any] = MONOLITH_REQUESTS,
) -> types.Request[Any, Any]:
    """Check a request of a client and read it as its model. Errors are those of
    `validate_client_request`, and a `RuntimeError` if `monolith` lacks the method.

    Args:
        method: The method.
        version: The revision.
        params: The params as JSON values; `None` for none.
        surface: The shapes by method and revision. Default: those of the protocol.
        monolith: The models by method. Default: those of `mcp.types`.
    """
    validate_client_request(method, version, params, surface=surface)
    return cast("types.Request[Any, Any]", read(monolith, method, params))


def parse_server_request(
    method: str,
    version: str,
    params: Mapping[str, Any] | None,
    *,
    surface: Surface = SERVER_REQUESTS,
    monolith: Mapping[str, Any] = MONOLITH_REQUESTS,
) -> types.Request[Any, Any]:
    """The same for a request of a server.

    Args:
        method: The method.
        version: The revision.
        params: The params as JSON values; `None` for none.
        surface: The shapes by method and revision. Default: those of the protocol.
        monolith: The models by method. Default: those of `mcp.types`.
    """
    check(surface, method, version, params, {"id": 0})
    return cast("types.Request[Any, Any]", read(monolith, method, params))


def validate_client_notification(
    method: str, version: str, params: Mapping[str, Any] | None, *, surface: Surface = CLIENT_NOTIFICATIONS
) -> None:
    """Check a notification of a client. Errors are those of `validate_client_request`.

    Args:
        method: The method.
        version: The revision.
        params: The params as JSON values; `None` for none.
        surface: The shapes by method and revision. Default: those of the protocol.
    """
    check(surface, method, version, params, {})


def parse_client_notification(
    method: str,
    version: str,
    params: Mapping[str, Any] | None,
    *,
    surface: Surface = CLIENT_NOTIFICATIONS,
    monolith: Mapping[str, Any] = MONOLITH_NOTIFICATIONS,
) -> types.Notification[Any, Any]:
    """Check a notification of a client and read it as its model.

    Args:
        method: The method.
        version: The revision.
        params: The params as JSON values; `None` for none.
        surface: The shapes by method and revision. Default: those of the protocol.
        monolith: The models by method. Default: those of `mcp.types`.
    """
    validate_client_notification(method, version, params, surface=surface)
    return cast("types.Notification[Any, Any]", read(monolith, method, params))


def parse_server_notification(
    method: str,
    version: str,
    params: Mapping[str, Any] | None,
    *,
    surface: Surface = SERVER_NOTIFICATIONS,
    monolith: Mapping[str, Any] = MONOLITH_NOTIFICATIONS,
) -> types.Notification[Any, Any]:
    """The same for a notification of a server.

    Args:
        method: The method.
        version: The revision.
        params: The params as JSON values; `None` for none.
        surface: The shapes by method and revision. Default: those of the protocol.
        monolith: The models by method. Default: those of `mcp.types`.
    """
    check(surface, method, version, params, {})
    return cast("types.Notification[Any, Any]", read(monolith, method, params))


def serialize_server_result(
    method: str, version: str, data: Mapping[str, Any], *, surface: Surface = SERVER_RESULTS
) -> dict[str, Any]:
    """Check a result of a server, and return it without the members that the revision lacks.
    Errors are those of `validate_client_request`.

    Args:
        method: The method.
        version: The revision.
        data: The result as JSON values.
        surface: The shapes by method and revision. Default: those of the protocol.
    """
    reader = adapter(shape(surface, method, version))
    found = reader.validate_python(data, by_name=False, by_alias=True)
    return cast("dict[str, Any]", reader.dump_python(found, by_alias=True, mode="json", exclude_none=True, exclude_unset=True))


def validate_server_result(
    method: str, version: str, data: Mapping[str, Any], *, surface: Surface = SERVER_RESULTS
) -> None:
    """Check a result of a server. Errors are those of `validate_client_request`.

    Args:
        method: The method.
        version: The revision.
        data: The result as JSON values.
        surface: The shapes by method and revision. Default: those of the protocol.
    """
    serialize_server_result(method, version, data, surface=surface)


def parse_server_result(
    method: str,
    version: str,
    data: Mapping[str, Any],
    *,
    surface: Surface = SERVER_RESULTS,
    monolith: Mapping[str, Any] = MONOLITH_RESULTS,
) -> types.Result:
    """Check a result of a server and read it as its model.

    Args:
        method: The method.
        version: The revision.
        data: The result as JSON values.
        surface: The shapes by method and revision. Default: those of the protocol.
        monolith: The models by method. Default: those of `mcp.types`.
    """
    validate_server_result(method, version, data, surface=surface)
    found: types.Result = adapter(row(monolith, method)).validate_python(data, by_name=False, by_alias=True)
    return found


def validate_client_result(
    method: str, version: str, data: Mapping[str, Any], *, surface: Surface = CLIENT_RESULTS
) -> None:
    """Check a result of a client. Errors are those of `validate_client_request`.

    Args:
        method: The method.
        version: The revision.
        data: The result as JSON values.
        surface: The shapes by method and revision. Default: those of the protocol.
    """
    adapter(shape(surface, method, version)).validate_python(data, by_name=False, by_alias=True)


def parse_client_result(
    method: str,
    version: str,
    data: Mapping[str, Any],
    *,
    surface: Surface = CLIENT_RESULTS,
    monolith: Mapping[str, Any] = MONOLITH_RESULTS,
) -> types.Result:
    """Check a result of a client and read it as its model.

    Args:
        method: The method.
        version: The revision.
        data: The result as JSON values.
        surface: The shapes by method and revision. Default: those of the protocol.
        monolith: The models by method. Default: those of `mcp.types`.
    """
    validate_client_result(method, version, data, surface=surface)
    found: types.Result = adapter(row(monolith, method)).validate_python(data, by_name=False, by_alias=True)
    return found
