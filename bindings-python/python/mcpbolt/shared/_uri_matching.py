"""URIs against templates: one walk from either end, without trying again.

Owns: which values a URI has for the variables of a template. RFC 6570 does not say; here
a value ends at a character its operator does not leave bare, at most one variable of a
template spans several segments, and it takes what those on its sides leave over. On its
left a value is as short as the text after it allows, elsewhere as the text before it does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Union
from urllib.parse import unquote

from ._uri_parsing import MANNERS, Expression, InvalidUriTemplate, Part, Variable, variables_of

Values = dict[str, Union[str, list[str]]]


class _Slot(NamedTuple):
    """Where a value stands. With `bare`, `name=value` or the name alone: its name stands before."""

    variable: Variable
    bare: bool = False

    @property
    def stops(self) -> str:
        return MANNERS[self.variable.operator].stops


_Step = Union[str, _Slot]


class Matcher:
    """What a template is for matching."""

    def __init__(self, template: str, parts: Sequence[Part]) -> None:
        path, tail = _without_query(parts)
        self.query_names = [variable.name for variable in variables_of(tail)]
        steps = _steps(path)
        middle = _spanning(template, steps)
        self._head = steps[:middle] if middle is not None else []
        self._tail = steps[middle + 1 :] if middle is not None else steps
        self._middle = None if middle is None else _variable_at(steps, middle)

    def match(self, uri: str) -> Values | None:
        """The values in a URI; `None` if it does not fit."""
        if not self.query_names:
            return self._path(uri)
        path, _, query = uri.partition("#")[0].partition("?")
        values = self._path(path)
        if values is not None:
            values.update(self._query(query))
        return values

    def _query(self, query: str) -> Values:
        """What a query says, in any order; the first of a name counts, and names are never
        encoded. A plus is a plus."""
        found: dict[str, str] = {}
        for pair in query.split("&"):
            name, _, value = pair.partition("=")
            found.setdefault(name, value)
        return {name: unquote(found[name]) for name in self.query_names if name in found}

    def _path(self, uri: str) -> Values | None:
        values: Values = {}
        start = _backward(self._tail, uri, self._middle is None, values)
        if start is None:
            return None
        if self._middle is None:
            return values if start == 0 else None
        before: Values = {}
        end = _forward(self._head, uri, start, before)
        spanned = None if end is None else _spanned(self._middle, uri[end:start])
        return None if spanned is None else {**before, self._middle.name: spanned, **values}


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


def _steps(parts: Sequence[Part]) -> list[_Step]:
    steps: list[_Step] = []

    def literal(text: str) -> None:
        last = steps[-1] if steps else None
        if isinstance(last, str):
            steps[-1] = last + text
        elif text:
            steps.append(text)

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
            steps.append(_Slot(variable, variable.operator == ";" and not variable.explode))
    return steps


def _variable_at(steps: Sequence[_Step], index: int) -> Variable | None:
    step = steps[index] if index >= 0 else ""
    return None if isinstance(step, str) else step.variable


def _spanning(template: str, steps: Sequence[_Step]) -> int | None:
    """Where the variable is that may span segments.

    Raises:
        InvalidUriTemplate: Nobody could say where a value ends.
    """
    found: int | None = None
    for index in range(len(steps)):
        variable, before = _variable_at(steps, index), _variable_at(steps, index - 1)
        if variable is None:
            continue
        if before is not None:
            raise InvalidUriTemplate(
                f"Variables {before.name!r} and {variable.name!r} are adjacent with no literal separator; "
                "matching cannot determine where one ends and the other begins. "
                "Add a literal between them or use a single variable.",
                template=template,
            )
        if variable.spans:
            if found is not None:
                raise InvalidUriTemplate(
                    "Template contains more than one multi-segment variable "
                    "({+var}, {#var}, or explode modifier); matching would be ambiguous",
                    template=template,
                )
            found = index
    return found


def _backward(steps: Sequence[_Step], uri: str, whole: bool, values: Values) -> int | None:
    """Fit steps to the end of a URI, from the right; where they begin. With `whole` they
    are the template."""
    end = len(uri)
    for index in range(len(steps) - 1, -1, -1):
        step = steps[index]
        if isinstance(step, str):
            if not uri.endswith(step, 0, end):
                return None
            end -= len(step)
            continue
        before = steps[index - 1] if index else ""
        assert isinstance(before, str)
        # A value cannot go further to the left than this.
        floor = max((uri.rfind(stop, 0, end) for stop in step.stops), default=-1) + 1
        if step.bare:
            end = _bare(before, uri, floor, end, step, values)
            if end < 0:
                return None
            continue
        if not before:
            start = floor
        elif whole and index == 1:
            # What a template begins with is where the URI begins, though it may come again.
            start = len(before)
        else:
            found = uri.rfind(before, max(0, floor - len(before)), end)
            start = -1 if found < 0 else found + len(before)
        if not floor <= start <= end:
            return None
        values[step.variable.name] = unquote(uri[start:end])
        end = start
    return end


def _bare(before: str, uri: str, floor: int, end: int, slot: _Slot, values: Values) -> int:
    """Where `=value` begins; the end if there is only the name, negative if there is neither."""
    if uri.endswith(before, 0, end):
        values[slot.variable.name] = ""
        return end
    equals = uri.find("=", floor, end)
    if equals >= 0:
        values[slot.variable.name] = unquote(uri[equals + 1 : end])
    return equals


def _forward(steps: Sequence[_Step], uri: str, limit: int, values: Values) -> int | None:
    """Fit steps to the beginning of a URI, from the left and not beyond a limit; where they end."""
    start = 0
    for index, step in enumerate(steps):
        if isinstance(step, str):
            if not uri.startswith(step, start, limit):
                return None
            start += len(step)
            continue
        after = steps[index + 1]
        assert isinstance(after, str)
        if step.bare:
            if uri.startswith(after, start):
                values[step.variable.name] = ""
                continue
            if not uri.startswith("=", start, limit):
                return None
            start += 1
        found = [at for at in (uri.find(stop, start, limit) for stop in step.stops) if at >= 0]
        end = uri.find(after, start, min(found, default=limit) + len(after))
        if end < 0:
            return None
        values[step.variable.name] = unquote(uri[start:end])
        start = end
    return start


def _spanned(variable: Variable, text: str) -> str | list[str] | None:
    """The value of the variable that takes what is left over; `None` if it cannot be that."""
    manner = MANNERS[variable.operator]
    stops = set(manner.stops)
    if not variable.explode:
        return None if stops.intersection(text) else unquote(text)
    if not text:
        return []
    first, *items = text.split(manner.between)
    if first or (stops - {manner.between}).intersection(text):
        return None
    if not manner.named:
        return [unquote(item) for item in items]
    values: list[str] = []
    for item in items:
        name, _, value = item.partition("=")
        if name != variable.name:
            return None
        values.append(unquote(value))
    return values
