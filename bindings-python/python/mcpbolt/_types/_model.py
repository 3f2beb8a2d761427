"""What the models of `mcpbolt.types` have in common.

Knows pydantic, and no particular model. The models are deferred: making a class does
not build its validator; `_types.find` does that before anybody else sees the class.
"""

from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from pydantic import AfterValidator, AnyUrl, BaseModel, ConfigDict, FileUrl, UrlConstraints


def _spellings(cls: type[BaseModel]) -> dict[str, str]:
    """snake_case names of camelCase fields, and names of fields whose wire name is no identifier."""
    found: dict[str, str] = {}
    for name, field in cls.__pydantic_fields__.items():
        wire = field.alias or name
        for spelling in {name, snake_case(name)} - {wire}:
            found[spelling] = wire
    return found


def snake_case(name: str) -> str:
    """`inputSchema` as `input_schema`."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


class Model(BaseModel):
    """Fields in camelCase as on the wire, readable in snake_case too."""

    model_config = ConfigDict(defer_build=True)

    # How constructors may also spell a member, and how the wire spells it.
    __spellings__: ClassVar[dict[str, str]] = {}

    if not TYPE_CHECKING:  # type checkers know the constructor from the fields

        def __init__(self, /, **data: Any) -> None:
            spellings = type(self).__spellings__
            if not spellings.keys().isdisjoint(data):
                for other, wire in spellings.items():
                    if other in data and wire not in data:
                        data[wire] = data.pop(other)
            super().__init__(**data)

        # Validation of nested values does not come through here: what a peer sends
        # under another spelling stays what it is, an unknown member.
        __init__.__pydantic_base_init__ = True

        @classmethod
        def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
            super().__pydantic_init_subclass__(**kwargs)
            cls.__spellings__ = _spellings(cls)


class OpenModel(Model):
    """A model that keeps members it does not know."""

    model_config = ConfigDict(extra="allow")


def _as_file(uri: AnyUrl) -> AnyUrl:
    return FileUrl(str(uri)) if uri.scheme == "file" else uri


Uri = Annotated[AnyUrl, UrlConstraints(host_required=False)]
# The official package takes `file:` alone; the protocol's own examples do not.
RootUri = Annotated[AnyUrl, UrlConstraints(host_required=False), AfterValidator(_as_file)]
