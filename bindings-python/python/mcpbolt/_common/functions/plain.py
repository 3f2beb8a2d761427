"""Functions whose parameters and results are plain JSON types: their schemas, and checks that
can accept values without pydantic.

Owns: which types are plain, and what pydantic would make of them. A value that is not accepted
here may still be valid: pydantic then converts or refuses it.
"""

# Values of any type are looked at: what their type is, is the question.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import inspect
import math
import types
import typing
from collections.abc import Callable
from typing import Any, Literal, Union

from ..._engine.json import text_result
from ..._mcpbolt import Written

MISSING: Any = inspect.Parameter.empty
_SCALARS: dict[Any, str] = {str: "string", int: "integer", float: "number", bool: "boolean"}
_NULL = {"type": "null"}
# Names that pydantic models use themselves, so that a field needs an alias.
_TAKEN = frozenset(
    "construct copy dict from_orm json parse_file parse_obj parse_raw schema schema_json"
    " update_forward_refs validate".split()
)
_EXACT_INTEGERS = 1 << 53
_Check = Callable[[Any], bool]


class NotPlain(Exception):
    """The annotation has to be left to pydantic."""


class Type:
    """A plain annotation: its schema, and which values have exactly this type."""

    __slots__ = ("accepts", "kind", "schema")

    def __init__(self, schema: dict[str, Any], accepts: _Check, kind: type | None = None) -> None:
        self.schema = schema
        self.accepts = accepts
        # The class of all values, if it is the same for all.
        self.kind = kind


def _is(kind: type) -> _Check:
    return lambda value: type(value) is kind


def plain_type(annotation: Any) -> Type:
    """Parse an annotation.

    Raises:
        NotPlain: It is not one of the plain types.
    """
    if annotation is float:
        return Type({"type": "number"}, _is_float, float)
    if isinstance(annotation, type) and annotation in _SCALARS:
        return Type({"type": _SCALARS[annotation]}, _is(annotation), annotation)
    if annotation is Any:
        return Type({}, _is_json)
    if annotation is None or annotation is type(None):
        return Type(dict(_NULL), _is(type(None)), type(None))
    if annotation is list:
        return Type({"items": {}, "type": "array"}, _is_json_list, list)
    if annotation is dict:
        return Type({"additionalProperties": True, "type": "object"}, _is_json_dict, dict)
    return _generic(annotation)


def _generic(annotation: Any) -> Type:
    origin, parameters = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Union or origin is types.UnionType:
        return _union([plain_type(part) for part in parameters])
    if origin is Literal:
        return _literal(parameters)
    if type(annotation) is not types.GenericAlias:
        raise NotPlain
    if origin is list and len(parameters) == 1:
        item = plain_type(parameters[0])
        accepts = item.accepts
        schema = {"items": item.schema, "type": "array"}
        return Type(schema, lambda value: type(value) is list and all(map(accepts, value)), list)
    if origin is dict and len(parameters) == 2 and parameters[0] is str:
        item = plain_type(parameters[1])
        accepts = item.accepts
        values = {"additionalProperties": item.schema or True, "type": "object"}

        def fits(value: Any) -> bool:
            return type(value) is dict and _all_texts(value) and all(map(accepts, value.values()))

        return Type(values, fits, dict)
    raise NotPlain


def _union(parts: list[Type]) -> Type:
    choices: dict[type, _Check] = {}
    for part in parts:
        if part.kind is None or part.kind in choices:
            raise NotPlain
        choices[part.kind] = part.accepts

    def accepts(value: Any) -> bool:
        choice = choices.get(type(value))
        return choice is not None and choice(value)

    return Type({"anyOf": [part.schema for part in parts]}, accepts)


def _literal(values: tuple[Any, ...]) -> Type:
    if not all(type(value) is str for value in values) or len(set(values)) != len(values):
        raise NotPlain
    choice: dict[str, Any] = {"const": values[0]} if len(values) == 1 else {"enum": list(values)}
    known = frozenset(values)
    return Type({**choice, "type": "string"}, lambda value: type(value) is str and value in known)


def _is_float(value: Any) -> bool:
    return type(value) is float and math.isfinite(value)


def _all_texts(value: dict[Any, Any]) -> bool:
    return all(type(key) is str for key in value)


def _is_json(value: Any) -> bool:
    kind = type(value)
    if kind is float:
        return math.isfinite(value)
    if kind is list:
        return all(map(_is_json, value))
    if kind is dict:
        return _is_json_dict(value)
    return value is None or kind is str or kind is int or kind is bool


def _is_json_list(value: Any) -> bool:
    return type(value) is list and all(map(_is_json, value))


def _is_json_dict(value: Any) -> bool:
    return type(value) is dict and _all_texts(value) and all(map(_is_json, value.values()))


def may_be_json(text: str) -> bool:
    """Whether text for a parameter of another type than `str` could be JSON that has to be
    parsed.
    """
    first = text.lstrip()[:1]
    return first in ("[", "{", "n")


def title_of(name: str) -> str:
    """The title that pydantic gives a field."""
    return name.title().replace("_", " ").strip()


class Arguments:
    """The parameters of a plain function."""

    __slots__ = ("_rows", "schema")

    def __init__(self, name: str, parameters: list[inspect.Parameter]) -> None:
        self._rows: list[tuple[str, Any, _Check, Any, bool]] = []
        properties: dict[str, Any] = {}
        for parameter in parameters:
            properties[parameter.name] = self._add(parameter)
        required = [row[0] for row in self._rows if row[3] is MISSING]
        self.schema: dict[str, Any] = {"properties": properties}
        if required:
            self.schema["required"] = required
        self.schema |= {"title": f"{name}Arguments", "type": "object"}

    def _add(self, parameter: inspect.Parameter) -> dict[str, Any]:
        name, default, annotation = parameter.name, parameter.default, parameter.annotation
        usual = parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
        if not usual or name.startswith(("_", "model_")) or name in _TAKEN or not name.isascii():
            raise NotPlain
        if default is not MISSING and not (default is None or (type(default) in _SCALARS and _is_json(default))):
            raise NotPlain
        if annotation is MISSING:
            found = Type({"type": "string"}, _is_json)
            schema: dict[str, Any] = {"title": name, "type": "string"}
        else:
            found = plain_type(annotation)
            schema = {**found.schema, "title": title_of(name)}
        if default is not MISSING:
            schema["default"] = default
        self._rows.append((name, found.kind, found.accepts, default, annotation is str))
        return dict(sorted(schema.items()))

    def bind(self, given: dict[str, Any]) -> dict[str, Any] | None:
        """The arguments to call the function with; `None` if pydantic has to validate them."""
        values: dict[str, Any] = {}
        for name, kind, accepts, default, is_text in self._rows:
            value = given.get(name, MISSING)
            if value is MISSING:
                if default is MISSING:
                    return None
                values[name] = default
                continue
            of = type(value)
            if of is str:
                if not is_text and (may_be_json(value) or not accepts(value)):
                    return None
            elif of is int and kind is float and -_EXACT_INTEGERS < value < _EXACT_INTEGERS:
                value = float(value)
            elif is_text or not accepts(value):
                return None
            values[name] = value
        return values


class Output:
    """The result of a plain function: its schema and its JSON form."""

    __slots__ = ("accepts", "name", "schema", "wraps")

    def __init__(self, name: str, annotation: Any) -> None:
        if annotation is Any or annotation is list or annotation is dict:
            raise NotPlain
        found = plain_type(annotation)
        self.accepts = found.accepts
        self.wraps = typing.get_origin(annotation) is not dict
        if self.wraps:
            result = dict(sorted({**found.schema, "title": "Result"}.items()))
            self.schema: dict[str, Any] = {
                "properties": {"result": result},
                "required": ["result"],
                "title": f"{name}Output",
                "type": "object",
            }
        else:
            self.schema = dict(sorted({**found.schema, "title": f"{name}DictOutput"}.items()))


def text_block(text: str) -> str:
    """A text block as JSON text."""
    return f'{{"type":"text","text":{text}}}'


def scalar_result(value: Any, structured: bool) -> str | Written | None:
    """The whole tool result for a scalar; `None` if the value is not a scalar."""
    kind = type(value)
    if kind is str:
        return text_result(value, structured)
    if kind is int:
        encoded = str(value)
        text = f'"{encoded}"'
    elif kind is bool:
        encoded = "true" if value else "false"
        text = f'"{encoded}"'
    else:
        return None
    if structured:
        return f'{{"content":[{text_block(text)}],"structuredContent":{{"result":{encoded}}},"isError":false}}'
    return f'{{"content":[{text_block(text)}],"isError":false}}'
