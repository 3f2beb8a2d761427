"""URI templates as text: the operators of RFC 6570, and what a template is made of.

Owns: which templates there are, and what is wrong with others. Must not know: expansion
and matching.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple, Union

Operator = Literal["", "+", "#", ".", "/", ";", "?", "&"]
"""What stands first in an expression; nothing for the simple kind."""


class InvalidUriTemplate(ValueError):
    """Not a URI template, or one that could not be matched.

    Args:
        message: What is wrong.
        template: The template.
        position: Where the fault is, as the number of characters before it. Default: in no one
            place.
    """

    def __init__(self, message: str, *, template: str, position: int | None = None) -> None:
        super().__init__(message)
        self.template = template
        """The template."""
        self.position = position
        """Where the fault is, if it is in one place."""


@dataclass(frozen=True)
class Variable:
    """A variable of a template."""

    name: str
    """Its name."""
    operator: Operator
    """The operator of its expression."""
    explode: bool = False
    """Whether it is a list whose items are set apart as the operator says: `{/path*}`."""

    @property
    def spans(self) -> bool:
        """Whether its value may go over several segments of a path."""
        return self.explode or self.operator in ("+", "#")

    @property
    def manner(self) -> Manner:
        """How its values are written."""
        return MANNERS[self.operator]


class Manner(NamedTuple):
    """How the values of an operator are written."""

    first: str
    """Before the first one."""
    between: str
    """Between two."""
    stops: str
    """What ends a value."""
    named: bool = False
    """Whether each comes with its name."""
    reserved: bool = False
    """Whether reserved characters stay as they are."""
    empty: str = ""
    """After the name of an empty one."""


MANNERS: dict[Operator, Manner] = {
    "": Manner("", ",", "/?#&,"),
    "+": Manner("", ",", "?#", reserved=True),
    "#": Manner("#", ",", "", reserved=True),
    ".": Manner(".", ".", "./?#"),
    "/": Manner("/", "/", "/?#"),
    ";": Manner(";", ";", ";/?#", named=True),
    "?": Manner("?", "&", "&#", named=True, empty="="),
    "&": Manner("&", "&", "&#", named=True, empty="="),
}


class Expression(NamedTuple):
    """What stands between braces."""

    operator: Operator
    variables: tuple[Variable, ...]

    @property
    def manner(self) -> Manner:
        """How its values are written."""
        return MANNERS[self.operator]


Part = Union[str, Expression]
"""Of a template: literal text, or an expression."""

_PARTS = re.compile(r"[^{]+|\{([^}]*)\}|\{")
_NAME = re.compile(r"\w+(?:\.\w+)*", re.ASCII)
# An exploded list of these has nothing that sets its items apart, or comes in any order.
_NO_LISTS = ("", "+", "#", "?", "&")


def parse(template: str, max_variables: int) -> list[Part]:
    """The parts of a template.

    Raises:
        InvalidUriTemplate: It is none.
    """
    parts: list[Part] = []
    count = 0
    for found in _PARTS.finditer(template):
        if found[0] == "{":
            raise _wrong(template, f"Unclosed expression at position {found.start()}", found.start())
        if found[1] is None:
            parts.append(found[0])
            continue
        expression = _expression(template, found[1], found.start())
        count += len(expression.variables)
        if count > max_variables:
            raise _wrong(template, f"Template exceeds maximum of {max_variables} variables")
        parts.append(expression)
    _check(template, [part for part in parts if isinstance(part, Expression)])
    return parts


def variables_of(parts: Iterable[Part]) -> list[Variable]:
    """The variables of some parts."""
    return [variable for part in parts if isinstance(part, Expression) for variable in part.variables]


def _wrong(template: str, message: str, position: int | None = None) -> InvalidUriTemplate:
    return InvalidUriTemplate(message, template=template, position=position)


def _expression(template: str, body: str, position: int) -> Expression:
    where = f"at position {position}"
    if not body:
        raise _wrong(template, f"Empty expression {where}", position)
    operator: Operator = body[0] if body[0] in MANNERS else ""
    names = body[len(operator) :]
    if not names:
        raise _wrong(template, f"Expression has operator but no variables {where}", position)
    return Expression(operator, tuple(_variable(template, operator, name, position) for name in names.split(",")))


def _variable(template: str, operator: Operator, written: str, position: int) -> Variable:
    where = f"at position {position}"
    if ":" in written:
        words = f"Prefix modifier {{var:N}} is not supported (in {written!r} {where})"
        raise _wrong(template, words, position)
    explode = written.endswith("*")
    name = written[:-1] if explode else written
    if not _NAME.fullmatch(name):
        raise _wrong(template, f"Invalid variable name {name!r} {where}", position)
    if explode and operator in _NO_LISTS:
        words = f"Explode modifier on {{{operator}{name}*}} is not supported for matching"
        raise _wrong(template, words, position)
    return Variable(name, operator, explode)


def _check(template: str, expressions: list[Expression]) -> None:
    """Refuse what parses and has no one meaning."""
    seen: set[str] = set()
    for variable in variables_of(expressions):
        if variable.name in seen:
            words = f"Variable {variable.name!r} appears more than once; repeated variables are not supported"
            raise _wrong(template, words)
        seen.add(variable.name)
    if sum(expression.operator == "?" for expression in expressions) > 1:
        raise _wrong(
            template,
            "Template contains more than one {?...} expression; "
            "use {?a,b} or {?a}{&b} for multiple query parameters",
        )
