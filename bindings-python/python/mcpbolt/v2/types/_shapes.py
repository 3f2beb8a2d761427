"""Checking messages against shapes, and reading them as models.

Owns: what is validated, and how. Must not know: which revision has which messages.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar

from pydantic import TypeAdapter

from .version import KNOWN_PROTOCOL_VERSIONS

RowT = TypeVar("RowT")
Surface = Mapping[tuple[str, str], Any]


@cache
def adapter(kind: Any) -> TypeAdapter[Any]:
    """The validator of a type."""
    return TypeAdapter(kind)


def shape(table: Surface, method: str, version: str) -> Any:
    """The shape of a message in a revision.

    Raises:
        ValueError: There is no such revision.
        KeyError: The revision has no such message.
    """
    if version not in KNOWN_PROTOCOL_VERSIONS:
        raise ValueError(f"version must be a known protocol version, got {version!r}")
    return table[method, version]


def body(method: str, params: Mapping[str, Any] | None) -> dict[str, Any]:
    """A message without what frames it."""
    return {"method": method} if params is None else {"method": method, "params": params}


def check(table: Surface, method: str, version: str, params: Mapping[str, Any] | None, frame: dict[str, Any]) -> None:
    """Check a message against its shape."""
    found = shape(table, method, version)
    found.model_validate({"jsonrpc": "2.0", **frame, **body(method, params)}, by_name=False, by_alias=True)


def row(monolith: Mapping[str, RowT], method: str) -> RowT:
    """The model of a method.

    Raises:
        RuntimeError: There is none.
    """
    found = monolith.get(method)
    if found is None:
        raise RuntimeError(f"the given maps differ: surface has {method!r} and monolith has not")
    return found


def read(monolith: Mapping[str, Any], method: str, params: Mapping[str, Any] | None) -> Any:
    """A message as its model."""
    return row(monolith, method).model_validate(body(method, params), by_name=False, by_alias=True)
