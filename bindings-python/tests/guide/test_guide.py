"""The guide shows the code that the tests beside this file run, and READMEs run as they are."""

from __future__ import annotations

import inspect
import re
import sys
from typing import Any

import pytest
from guide import snippets

import mcpbolt
from mcpbolt import types
from mcpbolt.server import fastmcp
from mcpbolt.server.auth.middleware import auth_context
from mcpbolt.server.fastmcp import exceptions
from mcpbolt.server.fastmcp.prompts import base
from mcpbolt.shared import path_security

# Where the first word of an option is looked for.
PLACES = (fastmcp, mcpbolt, types, base, exceptions, auth_context, path_security)
OPTION = re.compile(r"(\w+)(?:\.(\w+))?(?:\((\w+)\))?")


@pytest.mark.parametrize("chapter", snippets.chapters())
def test_a_chapter_has_the_code_of_its_tests(chapter: str) -> None:
    text = (snippets.GUIDE / f"{chapter}.md").read_text("utf-8")
    code = snippets.regions(snippets.source_of(chapter))
    assert text.count("\n### Python\n") == 1
    assert code, "a chapter has at least one program"
    message = "run `python bindings-python/tests/guide/snippets.py`"
    assert snippets.fences(text) == code, message


def test_all_readmes_show_the_same_programs() -> None:
    package = (snippets.ROOT / "bindings-python" / "README.md").read_text("utf-8")
    assert len(snippets.fences(package)) == 2
    for name in ("README.md", "README.zh-CN.md"):
        assert snippets.fences((snippets.ROOT / name).read_text("utf-8")) == snippets.fences(package), name


def options(chapter: str) -> list[str]:
    """The code spans in the Python column of the table of practices."""
    text = (snippets.GUIDE / f"{chapter}.md").read_text("utf-8")
    rows = [line for line in text.split("\n## Practices\n")[1].splitlines() if line.startswith("|")]
    assert rows[0] == "| practice | in Node | in Python | in Rust |"
    cells = [row.strip("|").rsplit("|", 2)[1] for row in rows[2:]]
    return [span for cell in cells for span in re.findall("`(.*?)`", cell)]


def exists(option: str) -> bool:
    """Whether `Name`, `Name.member`, `Name(parameter)` or `Name.member(parameter)` is there."""
    match = OPTION.fullmatch(option)
    if match is None:
        return False
    name, member, parameter = match.groups()
    found: Any = next((getattr(place, name) for place in PLACES if hasattr(place, name)), None)
    if found is not None and member is not None:
        fields = getattr(found, "model_fields", {})
        if member in fields:
            return parameter is None
        found = getattr(found, member, None)
    if found is None or parameter is None:
        return found is not None
    return parameter in parameters(found)


def parameters(function: Any) -> set[str]:
    """The names of a function's parameters, with the keys behind `**name: Unpack[Options]`."""
    names: set[str] = set()
    for name, parameter in inspect.signature(function).parameters.items():
        names.add(name)
        if parameter.kind is parameter.VAR_KEYWORD:
            options = str(parameter.annotation).removeprefix("Unpack[").removesuffix("]")
            names |= {*getattr(vars(sys.modules[function.__init__.__module__]).get(options), "__annotations__", ())}
    return names


@pytest.mark.parametrize("chapter", snippets.chapters())
def test_every_option_named_exists(chapter: str) -> None:
    assert options(chapter), "a chapter names options"
    assert [option for option in options(chapter) if not exists(option)] == []


@pytest.mark.parametrize("option", ["FastMCP(colour)", "FastMCP.fly", "Nothing", "Context.elicit(age)", "a b"])
def test_an_option_that_does_not_exist_would_be_found(option: str) -> None:
    assert not exists(option)
