"""What the models of `mcpbolt.v2.types` have in common.

Owns: the spellings of members. Must not know: any particular model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import BaseModel
from pydantic.alias_generators import to_camel


def snake_case(name: str) -> str:
    """`inputSchema` as `input_schema`."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


class Model(BaseModel, alias_generator=to_camel, populate_by_name=True, defer_build=True):
    """Members in snake_case, on the wire in camelCase; those it does not know are dropped."""

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            # The layers below read members as the wire spells them, for both lines.
            other = snake_case(name)
            if other != name and other in type(self).__pydantic_fields__:
                return getattr(self, other)
            if name == "root":
                return self
            return super().__getattr__(name)
