"""What the models of `mcpbolt.types` have in common.

Knows pydantic, and no particular model. The models are deferred: making a class does
not build its validator; `_types.find` does that before anybody else sees the class.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, get_args

from pydantic import AfterValidator, AnyUrl, BaseModel, Field, FileUrl, UrlConstraints

from .._engine import face


def _spellings(cls: type["Model"]) -> dict[str, str]:
    """Other spellings of the members: snake_case, and the attribute where the wire has no identifier."""
    wires = {name: field.alias or name for name, field in cls.__pydantic_fields__.items()}
    wires.update((name, name) for name in cls.__later__)
    found: dict[str, str] = {}
    for name, wire in wires.items():
        for spelling in {name, snake_case(name)} - {wire}:
            found[spelling] = wire
    return found


def _make_writable(cls: type["Model"]) -> None:
    """What can be read under another spelling can be set under it, as plain attributes can."""
    for name, found in list(vars(cls).items()):
        wire = name if name in cls.__later__ else cls.__spellings__.get(name)
        if isinstance(found, property) and wire is not None:
            setattr(cls, name, property(found.fget, _setter(wire, wire in cls.__later__), None, found.__doc__))


def _setter(wire: str, later: bool) -> Callable[["Model", Any], None]:
    def write(model: "Model", value: Any) -> None:
        if not later:
            setattr(model, wire, value)
        elif model.__pydantic_extra__ is not None:
            model.__pydantic_extra__[wire] = value

    return write


def _kinds(cls: type["Model"]) -> dict[str, str]:
    """`type` of blocks and references, which 2.x fills in."""
    field = cls.__pydantic_fields__.get("type")
    values = () if field is None or not field.is_required() else get_args(field.annotation)
    return {"type": values[0]} if len(values) == 1 else {}


def snake_case(name: str) -> str:
    """`inputSchema` as `input_schema`."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


class Model(BaseModel, defer_build=True):
    """Fields in camelCase as on the wire, readable in snake_case too."""

    # How constructors may also spell a member, and how the wire spells it.
    __spellings__: ClassVar[dict[str, str]] = {}
    # Members that came after the official class: kept as unknown ones, read by properties.
    __later__: ClassVar[tuple[str, ...]] = ()
    # Members that say the kind and have one value: constructors need not be told it.
    __kinds__: ClassVar[dict[str, str]] = {}
    # Members whose values may be given as whole requests.
    __requests__: ClassVar[tuple[str, ...]] = ()

    def __later_value__(self, name: str) -> Any:
        """The value of such a member, or nothing."""
        return (self.__pydantic_extra__ or {}).get(name)

    if not TYPE_CHECKING:  # type checkers know the constructor from the fields

        def __init__(self, /, **data: Any) -> None:
            """Validate the members of a message.

            Args:
                **data: The members, by their names on the wire or in Python.
            """
            spellings = type(self).__spellings__
            if not spellings.keys().isdisjoint(data):
                for other, wire in spellings.items():
                    if other in data and wire not in data:
                        data[wire] = data.pop(other)
            for name, kind in type(self).__kinds__.items():
                if name not in data and face.current.fills_in_kinds:
                    data[name] = kind
            for name in type(self).__requests__:
                if data.get(name):
                    data[name] = {key: _plain(request) for key, request in data[name].items()}
            super().__init__(**data)

        # Validation of nested values does not come through here: what a peer sends
        # under another spelling stays what it is, an unknown member.
        __init__.__pydantic_base_init__ = True

        @classmethod
        def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
            super().__pydantic_init_subclass__(**kwargs)
            cls.__spellings__ = _spellings(cls)
            cls.__kinds__ = _kinds(cls)
            cls.__requests__ = tuple({"inputRequests"} & set(cls.__pydantic_fields__))
            _make_writable(cls)


def _plain(request: Any) -> Any:
    if not isinstance(request, BaseModel):
        return request
    return request.model_dump(by_alias=True, mode="json", exclude_none=True)


class OpenModel(Model, extra="allow"):
    """A model that keeps members it does not know."""


def _as_file(uri: AnyUrl) -> AnyUrl:
    return FileUrl(str(uri)) if uri.scheme == "file" else uri


StrictInt = Annotated[int, Field(strict=True)]
Uri = Annotated[AnyUrl, UrlConstraints(host_required=False)]
# The official package takes `file:` alone; the protocol's own examples do not.
RootUri = Annotated[AnyUrl, UrlConstraints(host_required=False), AfterValidator(_as_file)]
