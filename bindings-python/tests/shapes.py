"""Classes that functions take and return."""

import dataclasses
import enum
from typing import NamedTuple

from pydantic import BaseModel, Field, RootModel
from typing_extensions import NotRequired, TypedDict


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class City(BaseModel):
    name: str
    people: int = 0
    tags: list[str] = []


class Tree(BaseModel):
    value: int
    children: list["Tree"] = []


class Aliased(BaseModel):
    inner: int = Field(alias="innerValue", default=3)


class Names(RootModel[list[str]]):
    pass


@dataclasses.dataclass
class Point:
    x: int
    y: float = 0.5


class Movie(TypedDict):
    title: str
    year: NotRequired[int]


class Pair(NamedTuple):
    left: int
    right: str


class Plain:
    name: str
    size: int = 3

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return "Plain()"


class Bare:
    def __str__(self) -> str:
        return "a bare thing"


class Adder:
    def __init__(self) -> None:
        self.__name__ = "adder"

    async def __call__(self, a: int, b: int = 2) -> int:
        return a + b
