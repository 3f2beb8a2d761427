"""Messages for pydantic's validation errors."""

from __future__ import annotations

from pydantic import ValidationError


def stringify_pydantic_error(validation_error: ValidationError) -> str:
    """One line per error: the path of the field, and what is wrong with it.

    Args:
        validation_error: The errors.
    """
    return "\n".join(
        ".".join(map(str, finding["loc"])) + ": " + finding["msg"] for finding in validation_error.errors()
    )
