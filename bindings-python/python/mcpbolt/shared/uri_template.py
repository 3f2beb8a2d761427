"""URI templates of RFC 6570, in both directions: `UriTemplate`.

Levels 1 to 3, and lists in paths: `{/path*}`, `{.path*}`, `{;path*}`. Not `{name:3}` and
`{?name*}`. Owns: expansion, and the limits. `_uri_parsing` has what is a template,
`_uri_pattern` what the engine is told of it, which matches URIs in time that grows with the
URI and no faster.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from .._mcpbolt import UriPattern
from ._uri_parsing import Expression, InvalidUriTemplate, Manner, Operator, Part, Variable, parse, variables_of
from ._uri_pattern import pattern_of

__all__ = [
    "DEFAULT_MAX_TEMPLATE_LENGTH",
    "DEFAULT_MAX_URI_LENGTH",
    "DEFAULT_MAX_VARIABLES",
    "InvalidUriTemplate",
    "Operator",
    "UriTemplate",
    "Variable",
]

DEFAULT_MAX_TEMPLATE_LENGTH = 8_192
"""The largest number of characters of a template."""
DEFAULT_MAX_VARIABLES = 256
"""The largest number of variables of a template."""
DEFAULT_MAX_URI_LENGTH = 65_536
"""The largest number of characters of a URI; a longer one matches nothing."""

_RESERVED = ":/?#[]@!$&'()*+,;="
_ENCODED = re.compile("(%[0-9A-Fa-f]{2})")


@dataclass(frozen=True)
class UriTemplate:
    """A parsed URI template. Two templates with the same text are equal.

    Example:
        ```python
        template = UriTemplate.parse("logs://{service}{?level}")
        template.match("logs://api?level=error")  # {"service": "api", "level": "error"}
        template.expand({"service": "web api"})  # "logs://web%20api"
        ```
    """

    template: str
    """The text of the template."""
    _parts: tuple[Part, ...] = field(repr=False, compare=False)
    _pattern: UriPattern = field(repr=False, compare=False)
    _query: frozenset[str] = field(repr=False, compare=False)

    @staticmethod
    def is_template(value: str) -> bool:
        """Whether a text has braces. It may still be malformed; `parse` checks that.

        Args:
            value: The text.
        """
        opening = value.find("{")
        return opening >= 0 and "}" in value[opening:]

    @classmethod
    def parse(
        cls,
        template: str,
        *,
        max_length: int = DEFAULT_MAX_TEMPLATE_LENGTH,
        max_variables: int = DEFAULT_MAX_VARIABLES,
    ) -> UriTemplate:
        """Parse a template.

        Args:
            template: The text of the template.
            max_length: The largest number of characters. Default: 8192.
            max_variables: The largest number of variables. Default: 256.

        Raises:
            InvalidUriTemplate: The template is malformed, too large, or cannot be matched.
        """
        if len(template) > max_length:
            raise InvalidUriTemplate(f"Template exceeds maximum length of {max_length}", template=template)
        parts = parse(template, max_variables)
        pattern, query = pattern_of(template, parts)
        return cls(template, tuple(parts), pattern, frozenset(query))

    @property
    def variables(self) -> list[Variable]:
        """The variables of the template, in their order."""
        return variables_of(self._parts)

    @property
    def variable_names(self) -> list[str]:
        """The names of the variables, in their order."""
        return [variable.name for variable in self.variables]

    @property
    def query_variable_names(self) -> frozenset[str]:
        """The names of the variables that a URI may leave out: those of the query at its end.
        `match` has no value for a variable that was left out, and has one for all others.
        """
        return self._query

    def expand(self, variables: Mapping[str, str | Sequence[str]]) -> str:
        """Make a URI. Variables without a value are left out.

        Args:
            variables: Values by the names of variables: text or lists of text, not yet encoded.

        Raises:
            TypeError: A value is neither text nor a sequence of texts.
        """
        return "".join(part if isinstance(part, str) else _expanded(part, variables) for part in self._parts)

    def match(self, uri: str, *, max_uri_length: int = DEFAULT_MAX_URI_LENGTH) -> dict[str, str | list[str]] | None:
        """The decoded values of the variables in a URI; `None` if the URI does not match.

        A decoded value may have slashes. Check it before you make a path of it, such as with
        `safe_join` of `mcpbolt.shared.path_security`.

        Args:
            uri: The URI.
            max_uri_length: The largest number of characters; a longer URI does not match. Default: 65536.
        """
        if len(uri) > max_uri_length:
            return None
        try:
            return self._pattern.matches(uri)
        except UnicodeEncodeError:
            # Half a surrogate pair is no text, and in no URI.
            return None

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.template,)

    def __str__(self) -> str:
        return self.template


def _again(template: str) -> UriTemplate:
    """A template that was parsed before, whatever its limits were."""
    return UriTemplate.parse(template, max_length=len(template), max_variables=len(template))


def _expanded(expression: Expression, values: Mapping[str, Any]) -> str:
    manner = expression.manner
    texts = [
        text
        for variable in expression.variables
        if variable.name in values
        for text in _texts(variable, values[variable.name], manner)
    ]
    return manner.first + manner.between.join(texts) if texts else ""


def _texts(variable: Variable, value: Any, manner: Manner) -> list[str]:
    """What a value is in the URI: nothing for an empty list."""
    items = _items(value)
    if items is None:
        kind = type(value).__name__
        raise TypeError(f"Variable {variable.name!r} must be str or a sequence of str, got {kind}")
    texts = [_encoded(item, manner.reserved) for item in items]
    if texts and not variable.explode:
        texts = [",".join(texts)]
    if not manner.named:
        return texts
    return [f"{variable.name}={text}" if text else variable.name + manner.empty for text in texts]


def _items(value: Any) -> list[str] | None:
    if isinstance(value, str):
        return [value]
    several: Any = value
    found: list[Any] | None = list(several) if isinstance(value, Sequence) else None
    return found if found is not None and all(isinstance(item, str) for item in found) else None


def _encoded(text: str, reserved: bool) -> str:
    if not reserved:
        return quote(text, safe="")
    # What is encoded stays as it is.
    return "".join(part if number % 2 else quote(part, safe=_RESERVED) for number, part in enumerate(_ENCODED.split(text)))
