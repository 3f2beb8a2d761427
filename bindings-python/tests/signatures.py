"""Functions in every spelling, with arguments to call them with, for two packages alike.

`corpus(api)` makes them with the `Context`, `Image` and types of one package.
"""

import datetime
import decimal
import functools
import pathlib
import typing
import uuid
from collections.abc import Sequence
from typing import Annotated, Any, Literal, Optional, Union

from pydantic import Field
from shapes import Adder, Aliased, Bare, City, Color, Level, Movie, Names, Pair, Plain, Point, Tree

Call = dict[str, Any]
Row = tuple[Any, list[Call]]


def corpus(api: Any) -> list[Row]:
    return [*scalars(), *containers(), *choices(), *models(), *fields(), *results(api), *contexts(api), *errors(api)]


def scalars() -> list[Row]:
    def nothing() -> str:
        """No parameters."""
        return "done"

    def one_int(a: int) -> int:
        return a

    def one_float(a: float) -> float:
        return a

    def one_bool(a: bool) -> bool:
        return a

    def one_text(text: str) -> str:
        """Many lines.

        Args:
            text: What to say.
        """
        return text

    def defaults(a: int = 1, b: str = "x", c: float = 2, d: bool = False, e: None = None) -> str:
        return f"{a}{b}{c}{d}{e}"

    def untyped(a, b=3):  # type: ignore[no-untyped-def]
        return f"{a!r} {b!r}"

    def anything(a: Any, b: Any = None) -> str:
        return f"{a!r} {b!r}"

    def keyword_only(*, a: int, long_name_here: str = "y") -> str:
        return f"{a}{long_name_here}"

    async def later(a: int) -> str:
        return str(a)

    def data(a: bytes = b"x") -> bytes:
        return a

    def weird_names(URL: str, camelCase: int = 1, x2_y: int = 2, _3: int = 3) -> str:
        return URL

    def fine_names(URL: str, camelCase: int = 1, x2_y: int = 2) -> str:
        return f"{URL}{camelCase}{x2_y}"

    ints: list[Call] = [{"a": value} for value in (1, "2", 2.0, 2.5, "x", True, None, 2**70, [1], "[1]", "null")]
    floats: list[Call] = [{"a": value} for value in (1, 1.5, "2.5", "x", 1e300, 2**60, True, None)]
    bools: list[Call] = [{"a": value} for value in (True, 1, "yes", "false", "x", 2, None)]
    texts: list[Call] = [{"text": value} for value in ("", "é中😀", '"q"\n\\', "[1]", "null", 5, None, ["a"])]
    return [
        (nothing, [{}, {"extra": 1}]),
        (one_int, [*ints, {}, {"b": 1}]),
        (one_float, [*floats, {}]),
        (one_bool, bools),
        (one_text, texts),
        (defaults, [{}, {"a": 3, "c": 1}, {"e": None}, {"e": 1}, {"d": "on", "b": "null"}]),
        (untyped, [{"a": 1}, {"a": "[1, 2]"}, {"a": "x", "b": "{}"}, {}]),
        (anything, [{"a": value} for value in (1, "x", "[1]", "nothing", " null", "true", {"k": [None]}, 1.5)]),
        (keyword_only, [{"a": 1}, {"a": 1, "long_name_here": "z"}, {"long_name_here": 1}]),
        (later, [{"a": 1}, {"a": "1"}, {"a": "one"}]),
        (data, [{}, {"a": "text"}]),
        (weird_names, []),
        (fine_names, [{"URL": "u"}]),
    ]


def containers() -> list[Row]:
    def texts(items: list[str]) -> list[str]:
        return items

    def numbers(items: list[float]) -> list[float]:
        return items

    def nested(items: list[list[int]]) -> list[list[int]]:
        return items

    def mapping(items: dict[str, int]) -> dict[str, int]:
        return items

    def loose(items: dict[str, Any]) -> dict[str, Any]:
        return items

    def bare_list(items: list) -> list:  # type: ignore[type-arg]
        return items

    def bare_dict(items: dict) -> dict:  # type: ignore[type-arg]
        return items

    def by_number(items: dict[int, str]) -> dict[int, str]:
        return items

    def pair(items: tuple[int, str]) -> tuple[int, str]:
        return items

    def many(items: tuple[int, ...]) -> tuple[int, ...]:
        return items

    def unique(items: set[int]) -> set[int]:
        return items

    def old_style(items: typing.List[int], more: typing.Dict[str, int]) -> typing.Dict[str, int]:
        return more

    def sequence(items: Sequence[str]) -> str:
        return repr(items)

    def with_default(items: list[int] = [1], more: dict[str, int] = {}) -> str:
        return f"{items}{more}"

    lists: list[Call] = [{"items": value} for value in ([], ["a", "b"], "[\"a\"]", "a", [1], ("a",), None, ["é"])]
    counts: list[Call] = [{"items": value} for value in ([1, 2.5], ["1"], "[1, 2]", [None], [[1]])]
    maps: list[Call] = [{"items": value} for value in ({}, {"a": 1}, {"a": "1"}, '{"a": 1}', {"a": None}, [])]
    return [
        (texts, lists),
        (numbers, counts),
        (nested, [{"items": [[1], []]}, {"items": [["1"]]}, {"items": [1]}]),
        (mapping, maps),
        (loose, [{"items": {"a": None, "b": [1, {"c": 2.5}]}}, {"items": '{"a": 1}'}, {"items": 1}]),
        (bare_list, [{"items": [1, "a", None]}, {"items": "[1]"}, {"items": {}}]),
        (bare_dict, [{"items": {"a": {"b": None}}}, {"items": "{}"}]),
        (by_number, [{"items": {"1": "a"}}]),
        (pair, [{"items": [1, "a"]}, {"items": [1]}]),
        (many, [{"items": [1, 2]}]),
        (unique, [{"items": [1, 1, 2]}]),
        (old_style, [{"items": [1], "more": {"a": 1}}]),
        (sequence, [{"items": ["a"]}, {"items": "abc"}]),
        (with_default, [{}, {"items": [2], "more": {"a": 1}}]),
    ]


def choices() -> list[Row]:
    def maybe(text: str | None = None) -> str | None:
        return text

    def maybe_old(a: Optional[int] = None) -> Optional[int]:
        return a

    def either(a: int | str) -> int | str:
        return a

    def three(a: Union[int, float, None]) -> Union[int, float, None]:
        return a

    def maybe_list(items: list[str] | None = None) -> list[str] | None:
        return items

    def list_or_dict(items: list[int] | dict[str, int]) -> str:
        return repr(items)

    def word(mode: Literal["fast", "slow"] = "fast") -> Literal["fast", "slow"]:
        return mode

    def one_word(mode: Literal["only"]) -> str:
        return mode

    def number_word(mode: Literal[1, 2]) -> str:
        return str(mode)

    def mixed_word(mode: Literal["a", 1, None]) -> str:
        return str(mode)

    def color(color: Color = Color.RED) -> Color:
        return color

    def level(level: Level) -> Level:
        return level

    def colors(colors: list[Color]) -> list[Color]:
        return colors

    values: list[Call] = [{"a": value} for value in (1, "1", "x", "[1]", None, 1.5, True)]
    return [
        (maybe, [{}, *({"text": value} for value in ("x", "null", "[1]", " nothing", None, 1, "{", "5"))]),
        (maybe_old, [{}, *values]),
        (either, values),
        (three, values),
        (maybe_list, [{}, {"items": ["a"]}, {"items": '["a"]'}, {"items": None}, {"items": "null"}]),
        (list_or_dict, [{"items": [1]}, {"items": {"a": 1}}, {"items": "[1]"}, {"items": ["x"]}]),
        (word, [{}, {"mode": "slow"}, {"mode": "x"}, {"mode": 1}, {"mode": None}]),
        (one_word, [{"mode": "only"}, {"mode": "x"}]),
        (number_word, [{"mode": 1}, {"mode": "1"}]),
        (mixed_word, [{"mode": "a"}, {"mode": 1}, {"mode": None}]),
        (color, [{}, {"color": "blue"}, {"color": "x"}]),
        (level, [{"level": 1}, {"level": "2"}, {"level": 3}]),
        (colors, [{"colors": ["red"]}]),
    ]


def models() -> list[Row]:
    def city(city: City) -> City:
        return city

    def city_text(city: City) -> str:
        return repr(city)

    def cities(cities: list[City]) -> list[City]:
        return cities

    def by_name(cities: dict[str, City]) -> dict[str, City]:
        return cities

    def tree(tree: Tree) -> Tree:
        return tree

    def aliased(value: Aliased) -> Aliased:
        return value

    def names(names: Names) -> Names:
        return names

    def point(point: Point) -> Point:
        return point

    def movie(movie: Movie) -> Movie:
        return movie

    def pair(pair: Pair) -> Pair:
        return pair

    def plain() -> Plain:
        return Plain("p")

    def bare() -> Bare:
        return Bare()

    def dates(when: datetime.datetime, day: datetime.date | None = None) -> datetime.datetime:
        return when

    def exact(value: decimal.Decimal, key: uuid.UUID, path: pathlib.Path) -> str:
        return f"{value} {key} {path}"

    def maybe_city(city: City | None = None) -> City | None:
        return city

    some: list[Call] = [
        {"city": {"name": "Bern"}},
        {"city": '{"name": "Bern", "people": "5"}'},
        {"city": {"people": 1}},
        {"city": None},
        {"city": "Bern"},
    ]
    return [
        (city, some),
        (city_text, some),
        (cities, [{"cities": [{"name": "a"}]}, {"cities": "[]"}]),
        (by_name, [{"cities": {"a": {"name": "b"}}}]),
        (tree, [{"tree": {"value": 1, "children": [{"value": 2}]}}]),
        (aliased, [{"value": {"innerValue": 5}}, {"value": {}}]),
        (names, [{"names": ["a"]}]),
        (point, [{"point": {"x": 1}}, {"point": {"x": "a"}}]),
        (movie, [{"movie": {"title": "t"}}, {"movie": {"title": "t", "year": 1}}, {"movie": {}}]),
        (pair, [{"pair": [1, "a"]}]),
        (plain, [{}]),
        (bare, [{}]),
        (dates, [{"when": "2026-01-02T03:04:05Z"}, {"when": "soon"}]),
        (exact, [{"value": "1.10", "key": "12345678-1234-5678-1234-567812345678", "path": "/a"}]),
        (maybe_city, [{}, {"city": {"name": "x"}}]),
    ]


def fields() -> list[Row]:
    def described(a: Annotated[int, Field(description="A number", ge=1)] = 2) -> str:
        return str(a)

    def field_default(a: int = Field(default=5, title="An A", le=10)) -> str:
        return str(a)

    def field_alias(a: Annotated[int, Field(alias="theA")]) -> str:
        return str(a)

    def examples(a: Annotated[str, Field(examples=["x"], min_length=2, pattern="^x")]) -> str:
        return a

    def noted(a: Annotated[str, "just a note"]) -> Annotated[str, Field(description="out")]:
        return a

    def taken(json: str, copy: int = 1, schema: str = "s") -> str:
        return f"{json}{copy}{schema}"

    def required_field(a: str = Field(..., description="must")) -> str:
        return a

    def model_name(model_config_x: int = 1) -> str:
        return str(model_config_x)

    def partial_base(a: int, b: int) -> int:
        return a + b

    bound = functools.partial(partial_base, b=5)
    bound.__name__ = "bound"  # type: ignore[attr-defined]
    return [
        (described, [{}, {"a": 0}, {"a": 3}]),
        (field_default, [{}, {"a": 11}]),
        (field_alias, [{"theA": 1}, {"a": 1}]),
        (examples, [{"a": "xy"}, {"a": "y"}]),
        (noted, [{"a": "x"}, {"a": 1}]),
        (taken, [{"json": "j"}, {"json": "j", "copy": "2", "schema": 1}]),
        (required_field, [{}, {"a": "x"}]),
        (model_name, [{}]),
        (bound, [{"a": 1}, {"a": "x"}]),
        (Adder(), [{"a": 1}]),
    ]


def results(api: Any) -> list[Row]:
    types = api.types

    def none() -> None:
        return None

    def no_annotation():  # type: ignore[no-untyped-def]
        return {"a": [1, None], "b": "é"}

    def wrong_type() -> int:
        return "x"  # type: ignore[return-value]

    def castable() -> int:
        return "5"  # type: ignore[return-value]

    def any_result() -> Any:
        return {"a": 1}

    def floats() -> list[float]:
        return [1.0, 1e16, 1e-7, 0.1, 123456789.123]

    def big() -> dict[str, float]:
        return {"a": 1e22, "b": float("1e-10")}

    def block() -> types.TextContent:
        return types.TextContent(type="text", text="t")

    def blocks() -> list[types.TextContent]:
        return [types.TextContent(type="text", text="t")] * 2

    def image() -> api.Image:
        return api.Image(data=b"abc", format="PNG")

    def audio():  # type: ignore[no-untyped-def]
        return api.Audio(data=b"abc")

    def mixed():  # type: ignore[no-untyped-def]
        return ["a", api.Image(data=b"x"), 5, None, {"k": "v"}, ("b", ["c"])]

    def final() -> types.CallToolResult:
        return types.CallToolResult(content=[types.TextContent(type="text", text="t")], _meta={"a": 1})

    def checked() -> Annotated[types.CallToolResult, City]:
        return types.CallToolResult(content=[], structuredContent={"name": "x"})

    def checked_wrong() -> Annotated[types.CallToolResult, City]:
        return types.CallToolResult(content=[], structuredContent={"nome": "x"})

    def failed_result() -> types.CallToolResult:
        return types.CallToolResult(content=[], isError=True)

    def numbers_in_text() -> str:
        return 5  # type: ignore[return-value]

    def nothing_in_text() -> str:
        return None  # type: ignore[return-value]

    def date_in_dict():  # type: ignore[no-untyped-def]
        return {"at": datetime.date(2026, 1, 2), "o": Bare()}

    functions = [
        none, no_annotation, wrong_type, castable, any_result, floats, big, block, blocks, image,
        audio, mixed, final, checked, checked_wrong, failed_result, numbers_in_text, nothing_in_text, date_in_dict,
    ]  # fmt: skip
    return [(function, [{}]) for function in functions]


def contexts(api: Any) -> list[Row]:
    Context = api.Context

    def first(ctx: Context, a: int) -> str:
        return f"{a} {type(ctx).__name__}"

    def last(a: int, context: Context) -> str:
        return str(a)

    def generic(c: Context[Any, Any, Any], a: int = 1) -> str:
        return str(a)

    def maybe(a: int = 1, c: Optional[Context] = None) -> str:
        return f"{a} {c is not None}"

    def union(a: int = 1, c: Context | None = None) -> str:
        return f"{a} {c is not None}"

    return [(function, [{"a": 1}, {"a": "x"}, {}]) for function in (first, last, generic, maybe, union)]


def errors(api: Any) -> list[Row]:
    def fails(a: int = 1) -> str:
        raise ValueError("it broke: é")

    async def fails_later() -> str:
        raise RuntimeError("later")

    def fails_plainly() -> str:
        raise KeyError("k")

    def fails_with_protocol() -> str:
        raise api.McpError(api.types.ErrorData(code=-32000, message="no"))

    def fails_without_words() -> str:
        raise Exception

    return [(function, [{}]) for function in (fails, fails_later, fails_plainly, fails_with_protocol, fails_without_words)]
