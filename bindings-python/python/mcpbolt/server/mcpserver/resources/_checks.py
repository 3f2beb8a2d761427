"""What the decorator for resources checks at once.

Owns: which functions fit which URIs, on a server of the 2.x kind.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...._common.functions.injection import find_context_parameter

if TYPE_CHECKING:
    from ....shared.uri_template import UriTemplate


def parsed(uri: str) -> UriTemplate | None:
    """Parse a URI as a template; `None` if it has no parameters.

    Raises:
        InvalidUriTemplate: It has braces but is not a valid template.
    """
    if "{" not in uri:
        return None
    from ....shared.uri_template import UriTemplate

    return UriTemplate.parse(uri)


def check(fn: Callable[..., Any], uri: str, template: UriTemplate | None) -> None:
    """Refuse a function that could not answer for its URI.

    Raises:
        ValueError: Its parameters differ from those of the URI, an optional one has no default,
            or it has a parameter that only functions of templates can have.
    """
    parameters = inspect.signature(fn).parameters
    context = find_context_parameter(fn)
    given = {name for name in parameters if name != context}
    if template is None:
        _check_fixed(uri, given, context)
        return
    wanted = set(template.variable_names)
    if wanted != given:
        raise ValueError(f"Mismatch between URI parameters {wanted} and function parameters {given}")
    missing = sorted(
        name for name in template.query_variable_names if parameters[name].default is inspect.Parameter.empty
    )
    if missing:
        raise ValueError(
            f"Resource {uri!r}: query parameter(s) {missing} have no default value. A client may omit a "
            "{?...}/{&...} query parameter, so the matching handler parameter must declare a default."
        )


def _check_fixed(uri: str, given: set[str], context: str | None) -> None:
    without = f"Resource {uri!r} has no URI template variables, but the handler declares"
    if given:
        raise ValueError(
            f"{without} parameters {given}. Add matching {{...}} variables to the URI or remove the parameters."
        )
    if context is not None:
        raise ValueError(
            f"{without} a Context parameter. Context injection for static resources is not supported. "
            "Add a template variable to the URI or remove the Context parameter."
        )
