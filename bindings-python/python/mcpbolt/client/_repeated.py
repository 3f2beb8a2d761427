"""What requests of a program's own repeat in a header.

Owns: the header, and the member it has. Must not know: how requests are sent.
"""

from __future__ import annotations

from typing import Any

from .._engine.protocol import METHODS
from ..shared._param_headers import spelled

# The header that repeats what a request is about.
NAME_HEADER = "mcp-name"


def name_to_repeat(request: object, method: str, params: Any) -> str | None:
    """What a request of the program's own repeats in a header; `None` if it names no member.

    Raises:
        ValueError: The params do not have the member that the request's class names.
    """
    key: str | None = getattr(type(request), "name_param", None)
    if key is None or method in METHODS:
        return None
    members: dict[str, Any] = params or {}
    name = members.get(key)
    if not isinstance(name, str):
        raise ValueError(f"{method} requires params[{key!r}] for Mcp-Name")
    return spelled(name)
