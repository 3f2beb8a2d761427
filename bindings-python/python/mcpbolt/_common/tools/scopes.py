"""Scopes that tokens need for calls of single tools.

Owns: what a tool may say of that. Must not know: who looks at tokens; the engine does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

# A scope token of RFC 6749, section 3.3.
_SCOPE = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]+")


def checked_scopes(scopes: Sequence[str]) -> list[str]:
    """The scopes as a list.

    Raises:
        ValueError: One is no name of a scope: left out, it would leave the tool open.
    """
    names = [scopes] if isinstance(scopes, str) else list(scopes)
    for name in names:
        if _SCOPE.fullmatch(name) is None:
            raise ValueError(f"scopes: {name!r} is no name of a scope; give them one by one, such as ['files:write']")
    return names
