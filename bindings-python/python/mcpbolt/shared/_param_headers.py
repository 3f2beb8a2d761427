"""Headers that repeat arguments of a tool call. The engine writes those of a client's requests.

Owns: which arguments a schema has repeated, and how a header spells a value. Must not know: who
sends the request.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

KEY = "x-mcp-header"
PREFIX = "Mcp-Param-"

_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_PLAIN = re.compile(r"[\x20-\x7E]*")
_WRAPPED = re.compile(r"=\?base64\?.*\?=")
_KINDS = ("string", "integer", "boolean")
# Keywords of JSON Schema whose values are schemas, lists of schemas, or schemas by name.
_ONE = (
    "items",
    "contains",
    "unevaluatedItems",
    "additionalProperties",
    "propertyNames",
    "unevaluatedProperties",
    "not",
    "if",
    "then",
    "else",
    "contentSchema",
)
_MANY = ("allOf", "anyOf", "oneOf", "prefixItems")
_NAMED = ("patternProperties", "dependentSchemas", "$defs", "definitions")

Path = tuple[str, ...]


def _positions(schema: Any, path: Path | None) -> Iterator[tuple[Path | None, dict[str, Any]]]:
    """Each schema within a schema, and by which properties it is reached; `None` by other ways."""
    if not isinstance(schema, dict):
        return
    found = cast("dict[str, Any]", schema)
    yield path, found
    for keyword in ("properties", *_NAMED):
        inner = found.get(keyword)
        if isinstance(inner, dict):
            for name, part in cast("dict[str, Any]", inner).items():
                below = (*path, name) if path is not None and keyword == "properties" else None
                yield from _positions(part, below)
    for keyword in _ONE:
        yield from _positions(found.get(keyword), None)
    for keyword in _MANY:
        parts = found.get(keyword)
        for part in _list(parts):
            yield from _positions(part, None)


def _list(value: Any) -> list[Any]:
    return list(cast("Iterable[Any]", value)) if isinstance(value, list) else []


def fault_of(schema: Any) -> str | None:
    """What is wrong with the annotations of a schema; `None` if nothing is."""
    seen: dict[str, str] = {}
    for path, found in _positions(schema, ()):
        if KEY not in found:
            continue
        if not path:
            return f"{KEY} found at a schema position not reachable via a pure `properties` chain"
        where, header, kind = ".".join(path), found[KEY], found.get("type")
        if not isinstance(header, str):
            return f"property {where!r}: {KEY} must be a string, not {type(header).__name__}"
        if not _TOKEN.fullmatch(header):
            return f"property {where!r}: {KEY} {header!r} is not an RFC 9110 token"
        if kind not in _KINDS:
            shown = (
                f"got {kind!r}" if isinstance(kind, str) else f"the type keyword is {type(kind).__name__}, not a string"
            )
            return f"property {where!r}: {KEY} is only permitted on integer/string/boolean properties ({shown})"
        other = seen.setdefault(header.lower(), where)
        if other != where:
            return f"{KEY} {header!r} on property {where!r} duplicates property {other!r}"
    return None


def repeated(schema: Any) -> dict[Path, str]:
    """The arguments that are repeated, and by which headers; nothing for a schema with a fault."""
    if fault_of(schema) is not None:
        return {}
    return {path: found[KEY] for path, found in _positions(schema, ()) if path and KEY in found}


def headers_of(wanted: Mapping[Path, str], arguments: Any) -> dict[str, str]:
    """The headers for some arguments."""
    headers: dict[str, str] = {}
    for path, header in wanted.items():
        value: Any = arguments
        for name in path:
            value = cast("dict[str, Any]", value).get(name) if isinstance(value, dict) else None
        if isinstance(value, bool):
            headers[PREFIX + header] = "true" if value else "false"
        elif isinstance(value, (str, int, float)):
            headers[PREFIX + header] = spelled(str(value))
    return headers


def spelled(value: str) -> str:
    """A value as a header can carry it: as it is, or in base64."""
    if _PLAIN.fullmatch(value) and value == value.strip() and not _WRAPPED.fullmatch(value):
        return value
    return f"=?base64?{base64.b64encode(value.encode()).decode()}?="


def mismatch(schema: Any, arguments: Any, headers: Mapping[str, str]) -> str | None:
    """How headers and arguments differ; `None` if they say the same."""
    for path, token in repeated(schema).items():
        header = PREFIX + token
        wanted = headers_of({path: token}, arguments).get(header)
        given, where = headers.get(header.lower()), repr(".".join(path))
        if given is None and wanted is not None:
            return f"{header} header is missing but the request body's {where} argument is present"
        if given is None:
            continue
        if wanted is None:
            return f"{header} header is present but the request body's {where} argument is absent"
        said, meant = plain(given), plain(wanted)
        if said is None:
            return f"{header} header carries a malformed base64 sentinel value"
        if said != meant:
            return f"{header} header does not match the request body's {where} argument"
    return None


def plain(value: str) -> str | None:
    """What a header says; `None` if its base64 is none."""
    if not _WRAPPED.fullmatch(value):
        return value
    try:
        return base64.b64decode(value[len("=?base64?") : -len("?=")], validate=True).decode()
    except ValueError:
        return None
