"""The identifiers of extensions."""

from __future__ import annotations

import re
from typing import Any

from .._engine import face

__all__ = ["validate_extension_identifier"]

_LABEL = r"[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_NAME = r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?"
_IDENTIFIER = re.compile(rf"{_LABEL}(?:\.{_LABEL})*/{_NAME}")


def validate_extension_identifier(identifier: Any, *, owner: str) -> None:
    """Check the identifier of an extension: a reverse domain, a slash, and a name.

    Args:
        identifier: The identifier.
        owner: Where the identifier is used, for the message of the error.

    Raises:
        TypeError: It is not a valid identifier.
    """
    if not isinstance(identifier, str) or not _IDENTIFIER.fullmatch(identifier):
        if face.current.api == 2:
            raise TypeError(
                f"{owner}.identifier must be a `vendor-prefix/name` string "
                f"(reverse-DNS prefix required), got {identifier!r}"
            )
        raise TypeError(f"{owner}.identifier must look like com.example/name, not {identifier!r}")
