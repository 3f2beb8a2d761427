"""Functions described with pydantic: a model of the arguments and one of the result.

Owns: how annotations become models. Imported when a signature is not plain, or when a value
has to be validated by pydantic.
"""

from __future__ import annotations

import inspect
import logging
import typing
from collections.abc import Callable, Iterator, Sequence
from types import GenericAlias
from typing import Annotated, Any, ClassVar, cast

import pydantic_core
import typing_extensions
from pydantic import BaseModel, ConfigDict, Field, PydanticUserError, RootModel, WithJsonSchema, create_model
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaWarningKind
from typing_extensions import is_typeddict
from typing_inspection.introspection import (
    UNKNOWN,
    AnnotationSource,
    ForbiddenQualifier,
    inspect_annotation,
    is_union_origin,
)

from ..._naming import found_in
from ...server._exceptions import InvalidSignature
from .lines import block_types, result_types

logger: logging.Logger = logging.getLogger("mcp.server.fastmcp.utilities.func_metadata")

_MISSING = inspect.Parameter.empty
_WRAPPED = (str, int, float, bool, bytes, type(None))
_SEQUENCES = (list, tuple, Sequence)
_LOCAL = "#/$defs/"
# The exceptions that pydantic raises for a type without a schema.
_NO_SCHEMA = (
    PydanticUserError,
    TypeError,
    ValueError,
    pydantic_core.SchemaError,
    pydantic_core.ValidationError,
)


@found_in("server.fastmcp.utilities.func_metadata")
class ArgModelBase(BaseModel):
    """The base class of all models of arguments."""

    model_config: ClassVar[ConfigDict] = ConfigDict(arbitrary_types_allowed=True)

    def model_dump_one_level(self) -> dict[str, Any]:
        """The arguments by parameter name, with their values unconverted."""
        fields = type(self).model_fields
        return {field.alias or name: getattr(self, name) for name, field in fields.items()}


@found_in("server.fastmcp.utilities.func_metadata")
class StrictJsonSchema(GenerateJsonSchema):
    """Generates a JSON Schema and treats warnings as errors."""

    def emit_warning(self, kind: JsonSchemaWarningKind, detail: str) -> None:
        """Refuse a type that could be described only in part.

        Args:
            kind: What is missing from the description.
            detail: The type at fault.
        """
        raise ValueError(f"JSON schema warning: {kind} - {detail}")


# Arguments


def arguments_model(name: str, parameters: list[inspect.Parameter]) -> type[ArgModelBase]:
    """Make the model of a function's arguments."""
    fields: dict[str, Any] = dict(map(_field, parameters))
    return create_model(f"{name}Arguments", __base__=ArgModelBase, **fields)


def _field(parameter: inspect.Parameter) -> tuple[str, Any]:
    name = parameter.name
    parts: list[Any] = [Any if parameter.annotation is _MISSING else parameter.annotation]
    if parameter.annotation is _MISSING:
        parts.append(WithJsonSchema({"title": name, "type": "string"}))
    # A field must not have the name of a method of models; the name becomes its alias.
    clashes = callable(getattr(BaseModel, name, None))
    parts.append(Field(alias=name) if clashes else Field())
    annotation: Any = Annotated[tuple(parts)]
    field = annotation if parameter.default is _MISSING else (annotation, parameter.default)
    return (f"field_{name}" if clashes else name), field


# Results


class OutputModel(typing.NamedTuple):
    """The model of a result, its schema, and whether the result is wrapped in a member of the
    model.
    """

    # One of pydantic, or a `TypedDict`.
    model: type[Any]
    schema: dict[str, Any]
    wraps: bool


def output_model(name: str, annotation: Any, demanded: bool, *, only_data: bool = False) -> OutputModel | None:
    """Make the model for a return annotation; `None` if the result has no structure. For
    `only_data` see `func_metadata`.

    Raises:
        InvalidSignature: The annotation cannot be used, or the result has no structure although
            that is required.
    """
    try:
        inspected = inspect_annotation(annotation, annotation_source=AnnotationSource.FUNCTION)
    except ForbiddenQualifier as error:
        raise InvalidSignature(f"Function {name}: return annotation contains an invalid type qualifier") from error
    assert inspected.type is not UNKNOWN
    plain: Any = inspected.type
    if is_union_origin(typing.get_origin(plain)) and any(map(_is_final, typing.get_args(plain))):
        raise InvalidSignature(
            f"Function {name}: CallToolResult cannot be used in Union or Optional types. "
            "To return empty results, use: CallToolResult(content=[])"
        )
    whole = annotation
    if _is_final(plain):
        # `Annotated[CallToolResult, Model]`: the tool makes the result, the model validates
        # it.
        if not inspected.metadata:
            return None
        plain, *more = inspected.metadata
        parts = (plain, *more)
        whole = Annotated[parts] if more else plain
        if only_data and not demanded and is_content(plain):
            return None
    try:
        found = _model_of(name, plain, whole, only_data)
    except (*_NO_SCHEMA, ForbiddenQualifier, NameError) as error:
        # Of dictionaries 2.x learns only later what is in them; all else it refuses.
        if not only_data or not (_is_mapping(plain) or is_typeddict(plain)):
            raise
        _tell_no_schema(name, plain, error)
        found = None
    if found is None and demanded:
        raise InvalidSignature(
            f"Function {name}: return type {plain} is not serializable for structured output"
        )
    return found


def _is_final(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, result_types())


def is_content(annotation: Any) -> bool:
    """Whether results are content blocks, images or audio: alone, in lists, or in a union."""
    from .media import Audio, Image

    origin: Any = typing.get_origin(annotation)
    if origin is Annotated:
        return is_content(typing.get_args(annotation)[0])
    if origin in _SEQUENCES or is_union_origin(origin):
        return any(map(is_content, typing.get_args(annotation)))
    return isinstance(annotation, type) and issubclass(annotation, (*block_types(), Image, Audio))


def _model_of(name: str, plain: Any, whole: Any, only_data: bool) -> OutputModel | None:
    chosen = _choose(name, plain, whole, only_data)
    if chosen is None:
        return None
    model, wraps = chosen
    try:
        schema = schema_of(model)
    except _NO_SCHEMA as error:
        _tell_no_schema(name, plain, error)
        return None
    return OutputModel(model, schema, wraps)


def schema_of(model: Any) -> dict[str, Any]:
    """The JSON Schema of a model or a `TypedDict`, with its members at the root.

    Raises:
        Exception: It cannot be described.
    """
    if issubclass(model, BaseModel):
        return _with_inline_root(model.model_json_schema(schema_generator=StrictJsonSchema))
    from .typed_dicts import adapter_of

    return _with_inline_root(adapter_of(model).json_schema(schema_generator=StrictJsonSchema))


def _tell_no_schema(name: str, plain: Any, error: Exception) -> None:
    logger.info("Cannot create schema for type %s in %s: %s: %s", plain, name, type(error).__name__, error)


def _choose(name: str, plain: Any, whole: Any, only_data: bool) -> tuple[type[Any], bool] | None:
    """Choose the model, and whether the result is wrapped in a member of it."""
    if _is_mapping(plain):
        return _mapping(name, plain), False
    if isinstance(plain, type) and not isinstance(plain, GenericAlias):
        kind = cast("type[Any]", plain)
        if issubclass(kind, BaseModel):
            return kind, False
        if is_typeddict(kind):
            return _typed_dict(kind, only_data), False
        if kind not in _WRAPPED:
            hints = typing.get_type_hints(kind)
            return (_plain_class(kind, hints), False) if hints else None
    return create_model(f"{name}Output", result=whole), True


def _is_mapping(plain: Any) -> bool:
    """Whether this is `dict[str, T]`."""
    parameters = typing.get_args(plain)
    return isinstance(plain, GenericAlias) and plain.__origin__ is dict and len(parameters) == 2 and parameters[0] is str


def _mapping(name: str, annotation: Any) -> type[BaseModel]:
    root: Any = RootModel[annotation]
    title = f"{name}DictOutput"
    return type(title, (root,), {"__module__": __name__, "__qualname__": title})


def _typed_dict(kind: type[Any], only_data: bool) -> Any:
    if only_data:
        return kind
    # Not the function of `typing`, which ignores the markers of `typing_extensions` before
    # Python 3.11.
    hints = typing_extensions.get_type_hints(kind)
    required: Any = getattr(kind, "__required_keys__", hints)
    fields: dict[str, Any] = {key: hint if key in required else (hint, None) for key, hint in hints.items()}
    return create_model(kind.__name__, **fields)


def _plain_class(kind: type[Any], hints: dict[str, Any]) -> type[BaseModel]:
    def fields() -> Iterator[tuple[str, Any]]:
        for name, hint in hints.items():
            if not name.startswith("_"):
                default = getattr(kind, name, _MISSING)
                yield name, hint if default is _MISSING else (hint, default)

    return create_model(kind.__name__, __config__=ConfigDict(from_attributes=True), **dict[str, Any](fields()))


def _with_inline_root(schema: dict[str, Any]) -> dict[str, Any]:
    """Put the fields of a recursive model at the root of its schema, in place of a mere
    reference: clients expect `type` there.
    """
    reference = schema.get("$ref")
    if not isinstance(reference, str) or not reference.startswith(_LOCAL):
        return schema
    definition: dict[str, Any] = schema["$defs"][reference.removeprefix(_LOCAL)]
    return {**definition, **{key: value for key, value in schema.items() if key != "$ref"}}


def docstring_fields(function: Callable[..., Any], schema: dict[str, Any]) -> None:
    """Add the descriptions in a docstring to the properties that have none."""
    from .docstrings import parameter_descriptions

    for name, text in parameter_descriptions(function.__doc__ or "").items():
        member = schema.get("properties", {}).get(name)
        if member is not None:
            member.setdefault("description", text)
