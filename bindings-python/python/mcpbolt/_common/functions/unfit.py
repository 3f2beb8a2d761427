"""Error messages for functions that cannot be described to clients.

Owns: which parameter of the function is at fault, and the message. Must not know: how
functions are described; that is tried for one parameter after the other.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection
from typing import Any

from ...server._exceptions import InvalidSignature

_TYPES = "str, int, float, bool, list, dict, a pydantic model, a dataclass or a TypedDict"
# How many characters of another exception's message are repeated.
_LONGEST = 200


def refuse_variadic(kind: str, name: str, fn: Callable[..., Any]) -> None:
    """Refuse `*args` and `**kwargs`: clients give arguments by name and need to know the
    names.

    Raises:
        InvalidSignature: The function has one of them.
    """
    try:
        parameters = inspect.signature(fn).parameters.values()
    except (TypeError, ValueError):
        return
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise InvalidSignature(
                f"{kind} {name!r}: {str(parameter).partition(':')[0]} has no names that clients could be told. Name "
                "each parameter, or take one list or dict; a decorator needs functools.wraps to show those it hides"
            )


def explained(
    kind: str, name: str, fn: Callable[..., Any], skipped: Collection[str], error: Exception
) -> InvalidSignature:
    """The exception to raise for a function, in place of the one from `func_metadata`."""
    undefined = error.__cause__ if isinstance(error.__cause__, NameError) else error
    if isinstance(undefined, NameError):
        where = next((place for place, kind_ in _written(fn) if str(undefined.name) in kind_), "an annotation")
        return InvalidSignature(
            f"{kind} {name!r}: {where} names {undefined.name!r}, which is not defined here. "
            "Import or define it in the module, outside of `if TYPE_CHECKING` and of functions"
        )
    if isinstance(error, InvalidSignature):
        return error
    parameter = next((p for p in _parameters(fn) if p.name not in skipped and not _fits(p)), None)
    if parameter is None:
        return InvalidSignature(f"{kind} {name!r} cannot be described to clients: {_short(error)}")
    annotation = inspect.formatannotation(parameter.annotation)
    return InvalidSignature(
        f"{kind} {name!r}: parameter {parameter.name!r} ({annotation}) cannot be described to clients: "
        f"{_short(error)}. Use {_TYPES}"
    )


def _written(fn: Callable[..., Any]) -> list[tuple[str, str]]:
    found: dict[str, Any] = getattr(fn, "__annotations__", {})
    return [
        ("the result's annotation" if name == "return" else f"the annotation of parameter {name!r}", str(annotation))
        for name, annotation in found.items()
    ]


def _parameters(fn: Callable[..., Any]) -> list[inspect.Parameter]:
    try:
        return list(inspect.signature(fn, eval_str=True).parameters.values())
    except Exception:
        return []


def _fits(parameter: inspect.Parameter) -> bool:
    from .models import arguments_model

    try:
        arguments_model("one", [parameter]).model_json_schema(by_alias=True)
    except Exception:
        return False
    return True


def _short(error: Exception) -> str:
    words = str(error).strip().partition("\n")[0].rstrip(".") or type(error).__name__
    return words if len(words) <= _LONGEST else f"{words[:_LONGEST]}…"
