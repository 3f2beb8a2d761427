"""What a message of one era may look like on the wire, as pydantic models.

Owns: the members that an era does not have, or must have, and the models made of that. Must not
know: methods. The models of `mcpbolt.v2.types` have the members of every revision; here each is
made again with those of one era, and the models it refers to with it.
"""

from __future__ import annotations

import copy
import types as kinds
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, create_model
from pydantic_core import PydanticUndefined

Era = Literal["legacy", "modern"]

# By era and class: members that it does not have. Classes below inherit that.
_WITHOUT: dict[Era, dict[str, frozenset[str]]] = {
    "legacy": {
        "Result": frozenset({"resultType"}),
        "CacheableResult": frozenset({"ttlMs", "cacheScope"}),
        "InputResponseRequestParams": frozenset({"inputResponses", "requestState"}),
        "ClientCapabilities": frozenset({"extensions"}),
        "ServerCapabilities": frozenset({"extensions"}),
    },
    "modern": {
        "CallToolRequestParams": frozenset({"task"}),
        "CreateMessageRequestParams": frozenset({"task", "_meta"}),
        "ElicitRequestFormParams": frozenset({"task", "_meta"}),
        "ElicitRequestURLParams": frozenset({"task", "_meta", "elicitationId"}),
        "ElicitResult": frozenset({"_meta"}),
        "ListRootsResult": frozenset({"_meta"}),
        "ClientCapabilities": frozenset({"tasks"}),
        "ServerCapabilities": frozenset({"tasks"}),
        "Tool": frozenset({"execution"}),
    },
}
# Members that have to be there, although the models of every revision have a default.
_WITH: dict[Era, dict[str, frozenset[str]]] = {
    "legacy": {},
    "modern": {
        "Result": frozenset({"resultType"}),
        "CacheableResult": frozenset({"ttlMs", "cacheScope"}),
        "Request": frozenset({"params"}),
        "CancelledNotificationParams": frozenset({"requestId"}),
    },
}
# Requests that are embedded in results on the modern era, and so have no envelope.
_QUESTIONS = frozenset(
    {
        "CreateMessageRequest",
        "CreateMessageRequestParams",
        "ElicitRequest",
        "ElicitRequestFormParams",
        "ElicitRequestURLParams",
        "ListRootsRequest",
        "CreateMessageResult",
        "CreateMessageResultWithTools",
        "ElicitResult",
        "ListRootsResult",
    }
)

_made: dict[tuple[str, Era], Any] = {}
_framed: dict[tuple[type, Era], type[BaseModel]] = {}


def surface(kind: Any, era: Era) -> Any:
    """The type of an era for a model of every revision, or for an annotation that holds some."""
    if _is_model(kind):
        return _model(kind, era)
    origin, parts = get_origin(kind), get_args(kind)
    if origin is None or origin is Literal:
        return kind
    inner: list[Any] = [surface(part, era) for part in parts]
    if inner == list(parts):
        return kind
    generic: Any = Union if origin is kinds.UnionType else origin
    if origin is Annotated:
        generic, inner = Annotated, [inner[0], *kind.__metadata__]
    made: Any = generic[tuple(inner) if len(inner) > 1 else inner[0]]
    return made


def _is_model(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def framed(kind: type[BaseModel], era: Era, is_request: bool) -> type[BaseModel]:
    """The whole JSON-RPC message of a request or notification."""
    found = _framed.get((kind, era))
    if found is None:
        members: dict[str, Any] = {"jsonrpc": (Literal["2.0"], ...)}
        if is_request:
            members["id"] = (str | int, ...)
        found = create_model(kind.__name__, __base__=_model(kind, era), __module__=__name__, **members)
        _framed[kind, era] = found
    return found


def _model(kind: type[BaseModel], era: Era) -> type[BaseModel]:
    key = (f"{kind.__module__}.{kind.__qualname__}", era)
    found = _made.get(key)
    if found is None:
        members = dict(_members(kind, era))
        config = ConfigDict(populate_by_name=True, extra=kind.model_config.get("extra", "ignore"))
        found = create_model(kind.__name__, __config__=config, __module__=__name__, **members)
        _made[key] = found
    return cast("type[BaseModel]", found)


def _members(kind: type[BaseModel], era: Era) -> Any:
    lines = [base.__name__.partition("[")[0] for base in kind.__mro__]
    without = _of(_WITHOUT[era], lines)
    wanted = frozenset[str]() if _QUESTIONS.intersection(lines) else _of(_WITH[era], lines)
    for name, field in kind.model_fields.items():
        wire = field.alias or name
        # What is embedded has no kind of result either.
        if wire in without or (era == "modern" and wire == "resultType" and _QUESTIONS.intersection(lines)):
            continue
        mine: Any = copy.copy(field)
        mine.annotation = surface(field.annotation, era)
        if era == "modern" and wire == "_meta" and "RequestParams" in lines and "NotificationParams" not in lines:
            mine.annotation = _Envelope
            mine.default = PydanticUndefined
        if wire == "resultType":
            mine.annotation = str
        if wire in wanted:
            mine.annotation = _required(mine.annotation)
            mine.default, mine.default_factory = PydanticUndefined, None
        yield name, (mine.annotation, mine)


def _of(table: dict[str, frozenset[str]], lines: list[str]) -> frozenset[str]:
    return frozenset[str]().union(*(table.get(line, frozenset()) for line in lines))


def _required(annotation: Any) -> Any:
    """The annotation without `None`."""
    if get_origin(annotation) not in (Union, kinds.UnionType):
        return annotation
    rest = tuple(part for part in get_args(annotation) if part is not type(None))
    return Union[rest]  # noqa: UP007


class _Envelope(BaseModel):
    """The `_meta` of a request of the modern era."""

    model_config = ConfigDict(populate_by_name=True, extra="allow")

    protocol_version: str = Field(alias="io.modelcontextprotocol/protocolVersion")
    client_capabilities: dict[str, Any] = Field(alias="io.modelcontextprotocol/clientCapabilities")
    client_info: dict[str, Any] | None = Field(default=None, alias="io.modelcontextprotocol/clientInfo")
    log_level: (
        Literal["alert", "critical", "debug", "emergency", "error", "info", "notice", "warning"] | None
    ) = Field(default=None, alias="io.modelcontextprotocol/logLevel")
    progress_token: str | int | None = Field(default=None, alias="progressToken")
