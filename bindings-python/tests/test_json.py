"""How values become JSON text: as `json.dumps` writes it, and what is beyond JSON as pydantic does."""

import enum
import json
from datetime import date
from typing import Any

import pytest
from mcpbolt._engine.json import NotFiniteError, dumps, quote, refuse_not_finite, text_result
from mcpbolt._mcpbolt import Inbox, loads
from pydantic import BaseModel


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


CONTROLS = "".join(map(chr, range(0x20)))
# Long strings pass in the units that they lie in.
LONG = [
    "the quick brown fox " * 100,
    (CONTROLS + '"\\/\x7f\u2028') * 100,
    "größere Pausen, à la carte\n" * 100,
    "長い文字列, и ещё\t" * 100,
    "a😀b👩‍👩‍👧" * 100,
    "é" * 1000 + "€",
    # Each character stands at each place of what is looked at together.
    *("x" * before + 'é\n😀€0123456789abcd"' * 50 for before in range(17)),
]
# Larger ones pass piece by piece.
LARGE = [
    "the quick brown fox " * 10_000,
    "the quick brown fox\n" * 10_000,
    "größere Pausen, à la carte\n" * 10_000,
    "長い文字列, и ещё\t" * 20_000,
    "x" * 200_000 + "緑",
    *("x" * before + "緑" + "😀" * 100_000 for before in range(7)),
]


@pytest.mark.parametrize("value", LONG + LARGE, ids=range(len(LONG + LARGE)))
def test_long_strings_are_written_and_read_as_json_does(value: str) -> None:
    text = json.dumps(value, ensure_ascii=False)
    assert dumps(value) == quote(value) == text
    assert dumps({value: [value]}) == f"{{{text}:[{text}]}}"
    assert loads(text) == loads(json.dumps(value)) == value
    block = f'{{"content":[{{"type":"text","text":{text}}}]'
    assert str(text_result(value, False)) == f'{block},"isError":false}}'
    assert str(text_result(value, True)) == f'{block},"structuredContent":{{"result":{text}}},"isError":false}}'


def test_a_result_completes_one_call() -> None:
    inbox, result = Inbox(), text_result("once", False)
    assert inbox.complete(1, result) is False, "no such call"
    for use in (str, lambda result: inbox.complete(2, result)):
        with pytest.raises(ValueError, match="completed a call already"):
            use(result)


@pytest.mark.parametrize("times", [1, 1000, 100_000])
def test_surrogates_that_stand_alone_are_read_and_not_written(times: int) -> None:
    value = "é\ud83d\ude00x\ud83d" * times
    text = json.dumps(value)
    assert loads(text) == json.loads(text)
    with pytest.raises(UnicodeEncodeError):
        quote("a\ud83d" * times)


def test_subclasses_of_text_are_written_as_text() -> None:
    class Shouting(str):
        def encode(self, *_: Any) -> bytes:
            raise AssertionError

    assert dumps(Shouting("ü" * 1000)) == json.dumps("ü" * 1000, ensure_ascii=False)


def test_what_json_does_not_have() -> None:
    assert dumps([float("inf"), date(2026, 1, 2)]) == '[null,"2026-01-02"]'
    circle: list[Any] = []
    circle.append(circle)
    with pytest.raises(ValueError):
        dumps(circle)
    with pytest.raises(ValueError):
        dumps({"x": object()})


class Filter(BaseModel):
    name: str
    limit: int | None = None


def test_what_is_none_is_left_out_of_models_alone() -> None:
    assert dumps(Filter(name="a")) == '{"name":"a"}'
    value = {"none": None, "models": [Filter(name="a"), {"none": None}, Filter(name="b", limit=1)]}
    models = '[{"name":"a"},{"none":null},{"name":"b","limit":1}]'
    assert dumps(value) == f'{{"none":null,"models":{models}}}'


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
