"""What decorators check at once.

Owns: which functions fit which URIs, on a server of the 1.x kind.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

from ..._common.functions.injection import find_context_parameter


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
