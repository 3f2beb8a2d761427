"""What programs get that dump the objects of a server as if they were pydantic models.

Owns: the options of dumping. Must not know: which members there are; the classes say that.
"""

from __future__ import annotations

from functools import cache
from typing import Any


class Dumped:
    """An object whose members can be dumped like those of a pydantic model, although it is none:
    making models takes long when a server starts.
    """

    def _members(self) -> dict[str, Any]:
        """The members that are shown, by name."""
        raise NotImplementedError

    def model_dump(self, *, exclude_none: bool = False, **options: Any) -> dict[str, Any]:
        """The members as a dictionary.

        Args:
            exclude_none: Whether members that are `None` are left out. Default: no.
            **options: Other options of pydantic's `model_dump`, such as `include`, `exclude`
                and `mode`.
        """
        values: dict[str, Any] = _adapter().dump_python(self._said(exclude_none), exclude_none=exclude_none, **options)
        return values

    def model_dump_json(self, *, exclude_none: bool = False, **options: Any) -> str:
        """The members as JSON text.

        Args:
            exclude_none: Whether members that are `None` are left out. Default: no.
            **options: Other options of pydantic's `model_dump_json`, such as `include`, `exclude`
                and `indent`.
        """
        text: bytes = _adapter().dump_json(self._said(exclude_none), exclude_none=exclude_none, **options)
        return text.decode()

    def _said(self, exclude_none: bool) -> dict[str, Any]:
        # Of a dictionary, as which they are dumped, pydantic leaves out no values.
        members = self._members()
        return {name: value for name, value in members.items() if not exclude_none or value is not None}


@cache
def _adapter() -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(dict[str, Any])
