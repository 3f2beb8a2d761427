"""`TypedDict`s as results.

Owns: reading one with pydantic on every Python. Must not know: functions.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import Annotated, Any

import typing_extensions
from pydantic import BaseModel, TypeAdapter
from typing_extensions import NotRequired, ReadOnly
from typing_inspection.introspection import AnnotationSource, inspect_annotation

_KEPT = ("__doc__", "__module__", "__qualname__", "__pydantic_config__")


@lru_cache(maxsize=256)
def adapter_of(kind: Any) -> TypeAdapter[Any]:
    """What validates and writes values of a `TypedDict`.

    Raises:
        NameError: An annotation names something that is not defined.
        Exception: Pydantic does not know the type of a key.
    """
    return TypeAdapter(_readable(kind))


def as_json(model: Any, value: Any) -> Any:
    """Validate a value with a model or a `TypedDict`, and return it as JSON values. Members are
    found by their names and by their aliases.
    """
    if issubclass(model, BaseModel):
        return model.model_validate(value, by_alias=True, by_name=True).model_dump(mode="json", by_alias=True)
    adapter = adapter_of(model)
    found = adapter.validate_python(value, by_alias=True, by_name=True)
    return adapter.dump_python(found, mode="json", by_alias=True)


def _readable(kind: Any) -> Any:
    """The same type, made by `typing_extensions` where pydantic does not read those of `typing`:
    before Python 3.12.
    """
    if sys.version_info >= (3, 12) or type(kind).__module__ != "typing":
        return kind
    hints = typing_extensions.get_type_hints(kind, include_extras=True)
    make: Any = typing_extensions.TypedDict
    made = make(kind.__name__, {key: _key(kind, key, hint) for key, hint in hints.items()})
    for name in _KEPT:
        if hasattr(kind, name):
            setattr(made, name, getattr(kind, name))
    return made


def _key(kind: Any, key: str, hint: Any) -> Any:
    said = inspect_annotation(hint, annotation_source=AnnotationSource.TYPED_DICT)
    found: Any = said.type
    if said.metadata:
        parts = (found, *said.metadata)
        found = Annotated[parts]
    if "read_only" in said.qualifiers:
        found = ReadOnly[found]
    # The class does not know this for annotations that were strings.
    demanded = "required" in said.qualifiers or key in kind.__required_keys__
    return found if demanded and "not_required" not in said.qualifiers else NotRequired[found]
