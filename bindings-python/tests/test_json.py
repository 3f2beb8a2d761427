"""How values become JSON text: as `json.dumps` writes it, and what is beyond JSON as pydantic does."""

import enum
import json
from datetime import date
from typing import Any

import pytest
from mcpbolt._engine.json import NotFiniteError, dumps, quote, refuse_not_finite


class Word(str, enum.Enum):
    QUOTED = 'a"b'


class Number(enum.IntEnum):
    FIVE = 5


class Table(dict[str, Any]):
    pass


PLAIN = [
    None,
    True,
    [0, -1, 2**63, -(2**70), Number.FIVE],
    [1.0, 1e22, 1e-7, 0.1, -0.0, 1.5e300, 5e-324],
    'é\u2028\x7f\x00\x1f\b\f\n\r\t\\"/ 😀',
    {"": [], "k": {}, Word.QUOTED: Word.QUOTED},
    (1, (2, [3])),
    {1: "one", None: 2, True: 3, 1.5: 4},
    Table(a=Table(b=1)),
]


@pytest.mark.parametrize("value", PLAIN, ids=repr)
def test_plain_values_are_written_as_json_does(value: Any) -> None:
    assert dumps(value) == json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    if isinstance(value, str):
        assert quote(value) == dumps(value)


def test_what_json_does_not_have() -> None:
    assert dumps([float("inf"), date(2026, 1, 2)]) == '[null,"2026-01-02"]'
    circle: list[Any] = []
    circle.append(circle)
    with pytest.raises(ValueError):
        dumps(circle)
    with pytest.raises(ValueError):
        dumps({"x": object()})


class Colour(enum.Enum):
    RED = 1.5
    NONE = float("nan")


class Owner:
    """Its part leads back to it."""

    def __init__(self, of: float) -> None:
        self.self = [self]
        self.of = of


def test_numbers_that_json_does_not_have_are_found_in_members_and_circles() -> None:
    refuse_not_finite({"a": [Colour.RED, Colour, Owner(1.0)]})
    with pytest.raises(NotFiniteError, match=r"^structuredContent\.a\[0\] is nan"):
        refuse_not_finite({"a": [Colour.NONE]})
    with pytest.raises(NotFiniteError, match=r"^structuredContent\.of is inf"):
        refuse_not_finite(Owner(float("inf")))
