"""URI templates: what they expand to and match, what is refused, and how long it takes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from bounds import START
from peer import FOLDER, MODERN

import mcpbolt
from mcpbolt.shared.uri_template import (
    DEFAULT_MAX_TEMPLATE_LENGTH,
    DEFAULT_MAX_URI_LENGTH,
    DEFAULT_MAX_VARIABLES,
    InvalidUriTemplate,
    UriTemplate,
    Variable,
)

# The examples of RFC 6570, sections 1.2 and 3.2, of the levels that are served.
VALUES: dict[str, Any] = {
    "count": ["one", "two", "three"],
    "dom": ["example", "com"],
    "hello": "Hello World!",
    "half": "50%",
    "var": "value",
    "who": "fred",
    "base": "http://example.com/home/",
    "path": "/foo/bar",
    "list": ["red", "green", "blue"],
    "v": "6",
    "x": "1024",
    "y": "768",
    "empty": "",
    "empty_list": [],
}
EXPANDED = {
    "{var}": "value",
    "{hello}": "Hello%20World%21",
    "{half}": "50%25",
    "O{empty}X": "OX",
    "O{undef}X": "OX",
    "{x,hello,y}": "1024,Hello%20World%21,768",
    "?{x,undef}": "?1024",
    "{list}": "red,green,blue",
    "{+half}": "50%25",
    "{base}index": "http%3A%2F%2Fexample.com%2Fhome%2Findex",
    "{+base}index": "http://example.com/home/index",
    "{+path}/here": "/foo/bar/here",
    "up{+path}?x={v}": "up/foo/bar?x=6",
    "{#hello}": "#Hello%20World!",
    "foo{#empty}": "foo#",
    "foo{#undef}": "foo",
    "{#path}": "#/foo/bar",
    "X{.var}": "X.value",
    "www{.dom*}": "www.example.com",
    "X{.empty}": "X.",
    "X{.empty_list}": "X",
    "{/who}": "/fred",
    "{/half,who}": "/50%25/fred",
    "{/var,empty}": "/value/",
    "{/list}": "/red,green,blue",
    "{/list*}": "/red/green/blue",
    "{;x,y}": ";x=1024;y=768",
    "{;x,y,empty}": ";x=1024;y=768;empty",
    "{;list*}": ";list=red;list=green;list=blue",
    "{?x,y,empty}": "?x=1024&y=768&empty=",
    "?fixed=yes{&x}": "?fixed=yes&x=1024",
    "{&var,empty}": "&var=value&empty=",
}
MATCHED: list[tuple[str, str, Any]] = [
    ("file://docs/{name}", "file://docs/hello%20world.txt", {"name": "hello world.txt"}),
    ("file://docs/{name}", "file://docs/a/b", None),
    ("file://docs/{name}", "file://docs/a%2Fb", {"name": "a/b"}),
    ("file://docs/{+path}", "file://docs/src/main.py", {"path": "src/main.py"}),
    ("file://docs/{+path}{?v}", "file://docs/src/main.py?v=2", {"path": "src/main.py", "v": "2"}),
    ("/files{/path*}", "/files/a//c", {"path": ["a", "", "c"]}),
    ("/files{/path*}", "/files", {"path": []}),
    ("logs://{service}{?since,level}", "logs://api", {"service": "api"}),
    ("logs://{service}{?since,level}", "logs://api?level=a+b&x=1&level=no", {"service": "api", "level": "a+b"}),
    ("prefix-{id}", "prefix-prefix-1", {"id": "prefix-1"}),
    ("{a}-{b}", "1-2-3", {"a": "1-2", "b": "3"}),
    ("/x{;k}", "/x;k", {"k": ""}),
    ("/x{;k}", "/x;k=1", {"k": "1"}),
    ("/x{;k}", "/x;keys", None),
    ("x{/a}{.b}", "x/1.2", {"a": "1", "b": "2"}),
]
WRONG = {
    "{": ("Unclosed expression", 0),
    "a{b}{": ("Unclosed expression", 4),
    "a{}": ("Empty expression", 1),
    "{+}": ("operator but no variables", 0),
    "{a:3}": ("Prefix modifier", 0),
    "{a-b}": ("Invalid variable name", 0),
    "{?a*}": ("Explode modifier", 0),
    "{a}/{a}": ("more than once", None),
    "x{?a}{?b}": ("more than one {?...}", None),
    "{a}{b}": ("adjacent", None),
    "{+a}/{+b}": ("more than one multi-segment", None),
}


@pytest.mark.parametrize("template", EXPANDED)
def test_values_become_a_uri(template: str) -> None:
    # Some of the examples could not be matched; expanding them is what is looked at here.
    assert UriTemplate.parse(template).expand(VALUES) == EXPANDED[template]


@pytest.mark.parametrize(("template", "uri", "values"), MATCHED)
def test_a_uri_has_values(template: str, uri: str, values: Any) -> None:
    assert UriTemplate.parse(template).match(uri) == values


@pytest.mark.parametrize("template", WRONG)
def test_what_is_no_template(template: str) -> None:
    words, position = WRONG[template]
    with pytest.raises(InvalidUriTemplate) as caught:
        UriTemplate.parse(template)
    assert words in str(caught.value)
    assert (caught.value.template, caught.value.position) == (template, position)


def test_a_template_is_a_value() -> None:
    template = UriTemplate.parse("a://{b}{?c}")
    assert template == UriTemplate.parse("a://{b}{?c}") != UriTemplate.parse("a://{b}")
    assert len({template, UriTemplate.parse("a://{b}{?c}")}) == 1
    assert (str(template), repr(template)) == ("a://{b}{?c}", "UriTemplate(template='a://{b}{?c}')")
    assert template.variables == [Variable("b", ""), Variable("c", "?")]
    assert template.query_variable_names == {"c"}
    for value in (3, None, [1], {"a": "b"}):
        with pytest.raises(TypeError, match="must be str or a sequence of str"):
            template.expand({"b": value})  # type: ignore[dict-item]


def test_the_limits() -> None:
    assert UriTemplate.parse("a" * DEFAULT_MAX_TEMPLATE_LENGTH)
    with pytest.raises(InvalidUriTemplate, match="maximum length"):
        UriTemplate.parse("a" * (DEFAULT_MAX_TEMPLATE_LENGTH + 1))
    many = [f"{{v{n}}}/" for n in range(DEFAULT_MAX_VARIABLES + 1)]
    assert len(UriTemplate.parse("".join(many[1:])).variables) == DEFAULT_MAX_VARIABLES
    with pytest.raises(InvalidUriTemplate, match="256 variables"):
        UriTemplate.parse("".join(many))
    template = UriTemplate.parse("{+a}")
    assert template.match("x" * DEFAULT_MAX_URI_LENGTH) is not None
    assert template.match("x" * (DEFAULT_MAX_URI_LENGTH + 1)) is None
    assert template.match("xyz", max_uri_length=2) is None


@pytest.mark.parametrize(
    ("template", "uri"),
    [
        ("".join(f"{{v{n}}}a" for n in range(200)), "a" * 60_000 + "b"),
        ("x{+a}" + "".join(f"a{{v{n}}}" for n in range(200)) + "!", "x" + "a" * 60_000),
        ("{;k*}", ";k=" * 20_000),
        ("{a}{?q}", "?" + "&" * 60_000),
    ],
)
def test_no_uri_takes_long(template: str, uri: str) -> None:
    parsed = UriTemplate.parse(template)
    started = time.process_time()
    parsed.match(uri)
    # A pattern with a group for each of 200 variables would go on for ages.
    assert time.process_time() - started < 2


@pytest.mark.skipif(not MODERN, reason="MCPBOLT_TEST_PYTHON_MCP2 names no interpreter")
@pytest.mark.parametrize("seed", range(3))
def test_the_official_package_says_the_same(seed: int) -> None:
    def said(package: str) -> list[str]:
        own = package == "mcpbolt"
        path = str(Path(mcpbolt.__file__).parent.parent) if own else ""
        words = [sys.executable if own else MODERN, str(FOLDER / "uri_templates.py"), package, str(seed)]
        done = subprocess.run(
            words, capture_output=True, check=True, text=True, timeout=START, env=dict(os.environ, PYTHONPATH=path)
        )
        return done.stdout.splitlines()

    theirs, ours = said("mcp"), said("mcpbolt")
    assert len(theirs) == len(ours) > 1000
    for their_line, our_line in zip(theirs, ours):
        assert our_line == their_line
