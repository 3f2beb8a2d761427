"""What every server of the benchmark is told, and the tools that all of them have.

Owns: the command line, names, schemas. Reads it by hand: a cold start is measured, and a
library for arguments would be part of it.
"""

import sys
from collections.abc import Callable
from typing import Any


class Settings:
    """The command line: `[--http HOST:PORT] [--stateless] [--async] [--plain] [--large] [--tools N]
    [--issuer URL] [--stores URL]`."""

    def __init__(self, words: list[str]) -> None:
        self.address = words[words.index("--http") + 1] if "--http" in words else ""
        self.stateless = "--stateless" in words
        self.asynchronous = "--async" in words
        # Without structured content, which repeats the text: its length is what is measured.
        self.plain = "--plain" in words
        # With tools that take and give long texts.
        self.large = "--large" in words
        self.tools = int(words[words.index("--tools") + 1]) if "--tools" in words else 0
        # Where sessions and the like are kept.
        self.stores = words[words.index("--stores") + 1] if "--stores" in words else None
        # Whose tokens each request needs.
        self.issuer = words[words.index("--issuer") + 1] if "--issuer" in words else ""

    @property
    def host(self) -> str:
        return self.address.rpartition(":")[0]

    @property
    def resource(self) -> str:
        return f"http://{self.address}/mcp"

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])


SETTINGS = Settings(sys.argv)
# Largest request that must be taken.
MAX_BODY = 64 << 20


def echo(text: str) -> str:
    """Says what it was told."""
    return text


async def echo_async(text: str) -> str:
    """Says what it was told."""
    return text


def look(query: str, limit: int = 10, exact: bool = False) -> str:
    return f"{query} {limit} {exact}"


LINE = "It was a dark and stormy night; the rain fell in torrents, except at größeren Pausen.\n"


async def count(text: str) -> str:
    """How many characters a text has."""
    return str(len(text))


async def repeat(lines: int) -> str:
    """Says a line so many times."""
    return LINE * lines


def register(tool: Callable[..., Any]) -> None:
    """Gives a server its tools; `tool` is its decorator."""
    more = {"structured_output": False} if SETTINGS.plain else {}
    tool(name="echo", **more)(echo_async if SETTINGS.asynchronous else echo)
    if SETTINGS.large:
        tool(name="count", **more)(count)
        tool(name="repeat", **more)(repeat)
    for number in range(SETTINGS.tools):
        words = f"Tool number {number}: looks something up in a table of the program and says what it found."
        tool(name=f"tool_{number:03}", description=words)(look)
