"""Which resources may be registered before the models behind them are loaded: those that cannot
turn out to be wrong then, when nobody is there to mend them.

Owns: that choice. It may err by refusing. Must not know: what is registered how.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

from ..context import BaseContext

MIME_PATTERN = r"^[a-zA-Z0-9]+/[a-zA-Z0-9\-+.]+(;\s*[a-zA-Z0-9\-_.]+=[a-zA-Z0-9\-_.]+)*$"
# Hosts of the schemes of browsers have rules of their own.
_URI = re.compile(r"(?:file:///|(?!(?:https?|wss?|ftp|file):)[a-z][a-z0-9+.-]*:)[\w./-]+", re.ASCII | re.IGNORECASE)
_TEXTS = ("name", "title", "description", "mime_type")
_PLAIN = (str, int, float, bool, bytes, list, dict, None, inspect.Parameter.empty)
# As they are where annotations are text.
_PLAIN_TEXTS = frozenset({"str", "int", "float", "bool", "bytes", "list", "dict", "None"})


def can_wait(fn: Callable[..., Any], uri: str, members: dict[str, Any], is_template: bool) -> bool:
    """Whether making the resource or template cannot fail.

    Args:
        fn: The function.
        uri: The URI, or its template.
        members: What else is said of it.
        is_template: Whether it is a template.
    """
    for name, value in members.items():
        if value is not None and not (name in _TEXTS and isinstance(value, str)):
            return False
    if is_template:
        return _is_plain(fn)
    mime = members.get("mime_type")
    return (not mime or re.fullmatch(MIME_PATTERN, mime) is not None) and _URI.fullmatch(uri) is not None


def _is_plain(fn: Callable[..., Any]) -> bool:
    """Whether every parameter of a function has a type that a model is made of for certain."""
    if not inspect.isfunction(fn):
        return False
    try:
        signature = inspect.signature(fn)
    except (NameError, TypeError, ValueError):
        return False
    hints = [signature.return_annotation]
    for parameter in signature.parameters.values():
        if parameter.name.startswith("_") or parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            return False
        hints.append(parameter.annotation)
    return all(map(_is_plain_type, hints))


def _is_plain_type(hint: Any) -> bool:
    if isinstance(hint, str):
        return hint in _PLAIN_TEXTS
    return any(hint is plain for plain in _PLAIN) or (isinstance(hint, type) and issubclass(hint, BaseContext))
