"""URI templates as the engine matches them.

Owns: which row of texts and values a template is, and which templates cannot be matched.
RFC 6570 does not say which values a URI has; here a value ends at a character its operator
does not leave bare, at most one variable of a template spans several segments, and it takes
what those on its sides leave over. Must not know: how a URI is gone through.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Union

from .._engine.json import dumps
from .._mcpbolt import UriPattern
from ._uri_parsing import Expression, InvalidUriTemplate, Part, Variable, variables_of

_Piece = Union[str, Variable]


def pattern_of(template: str, parts: Sequence[Part]) -> tuple[UriPattern, list[str]]:
    """A template for matching, and the names of the variables that a URI may leave out.

    Raises:
        InvalidUriTemplate: Nobody could say where a value ends.
    """
    path, tail = _without_query(parts)
    query = [variable.name for variable in variables_of(tail)]
    pieces = _pieces(path)
    _check(template, pieces)
    row = [piece if isinstance(piece, str) else _slot(piece) for piece in pieces]
    return UriPattern(dumps({"walk": "bothEnds", "pieces": row, "query": query})), query


def _without_query(parts: Sequence[Part]) -> tuple[Sequence[Part], Sequence[Part]]:
    """A path and the query after it, if the first question mark of a URI is where the query
    begins."""
    end = len(parts)
    while end and isinstance(part := parts[end - 1], Expression) and part.operator in ("?", "&"):
        end -= 1
    path, tail = parts[:end], parts[end:]
    begins = tail and isinstance(tail[0], Expression) and tail[0].operator == "?"
    return (path, tail) if begins and not any(map(_marks, path)) else (parts, ())


def _marks(part: Part) -> bool:
    """Whether something of a query or fragment is in it."""
    if isinstance(part, str):
        return "?" in part or "#" in part
    return part.operator in ("?", "#")


def _pieces(parts: Sequence[Part]) -> list[_Piece]:
    pieces: list[_Piece] = []

    def literal(text: str) -> None:
        last = pieces[-1] if pieces else None
        if isinstance(last, str):
            pieces[-1] = last + text
        elif text:
            pieces.append(text)

    for part in parts:
        if isinstance(part, str):
            literal(part)
            continue
        manner = part.manner
        for number, variable in enumerate(part.variables):
            # The items of a list bring what sets them apart.
            if not variable.explode:
                literal(manner.between if number else manner.first)
                if manner.named:
                    literal(variable.name + manner.empty)
            pieces.append(variable)
    return pieces


def _slot(variable: Variable) -> dict[str, Any]:
    """Where the value of a variable stands, in the engine's words."""
    manner = variable.manner
    slot: dict[str, Any] = {"name": variable.name, "stops": manner.stops}
    if variable.spans:
        slot["kind"] = "spanning"
    if variable.explode:
        slot.update(between=manner.between, named=manner.named)
    elif variable.operator == ";":
        # `name=value`, or the name alone.
        slot["kind"] = "bare"
    return slot


def _check(template: str, pieces: Sequence[_Piece]) -> None:
    spanning = False
    before: _Piece = ""
    for piece in pieces:
        if isinstance(piece, Variable):
            if isinstance(before, Variable):
                raise InvalidUriTemplate(
                    f"Variables {before.name!r} and {piece.name!r} are adjacent with no literal separator; "
                    "matching cannot determine where one ends and the other begins. "
                    "Add a literal between them or use a single variable.",
                    template=template,
                )
            if piece.spans and spanning:
                raise InvalidUriTemplate(
                    "Template contains more than one multi-segment variable "
                    "({+var}, {#var}, or explode modifier); matching would be ambiguous",
                    template=template,
                )
            spanning = spanning or piece.spans
        before = piece
