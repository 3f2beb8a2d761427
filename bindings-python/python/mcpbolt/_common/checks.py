"""What decorators check at once.

Owns: which functions fit which URIs, on a server of the 1.x kind.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

from ..._engine import face
from .utilities.context_injection import find_context_parameter


def refuse_bare(first: Any, decorator: str, right: str) -> None:
    """Refuse a decorator that was written without its parentheses.

    Raises:
        TypeError: The decorator was given a function.
    """
    if callable(first):
        raise TypeError(
            f"The @{decorator} decorator was used incorrectly. "
            f"Did you forget to call it? Use @{right} instead of @{decorator}"
        )


def is_bare(first: Any, decorator: str, right: str) -> bool:
    """Whether a decorator that allows it was written without its parentheses.

    Raises:
        TypeError: It was, while this package stands in for the official one, which refuses that.
    """
    if not callable(first):
        return False
    if not face.current.own_words:
        refuse_bare(first, decorator, right)
    return True


def is_template(fn: Callable[..., Any], uri: str) -> bool:
    """Whether a function with this URI becomes a template.

    Raises:
        ValueError: The function's parameters differ from those of the URI.
    """
    parameters = inspect.signature(fn).parameters
    in_uri = "{" in uri and "}" in uri
    if not in_uri and not parameters:
        return False
    wanted = set(re.findall(r"{(\w+)}", uri))
    context = find_context_parameter(fn)
    given = {name for name in parameters if name != context}
    if wanted != given:
        raise ValueError(f"Mismatch between URI parameters {wanted} and function parameters {given}")
    return True
