"""What people and editors read: every public name says what it is, and what the protocol
has deprecated says since when, why, and until when it works.
"""

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import mcpbolt

PACKAGE = Path(mcpbolt.__file__).parent
API = Path(__file__).parents[2] / "core" / "api.json"
Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef

# Which names belong to what the protocol deprecates; types are marked where they are generated.
DEPRECATED = {
    "roots": [
        "client/session.py:ListRootsFnT",
        "client/_signals.py:Signals.send_roots_list_changed",
        "client/_calling.py:Calling.send_roots_list_changed",
        "client/sync.py:SyncClient.send_roots_list_changed",
        "server/_asking.py:Asking.list_roots",
        "_types/roots.py:Root",
    ],
    "sampling": [
        "client/session.py:SamplingFnT",
        "server/_asking.py:Asking.create_message",
        "_types/sampling.py:CreateMessageRequest",
    ],
    "logging": [
        "client/session.py:LoggingFnT",
        "client/_signals.py:Signals.set_logging_level",
        "client/_calling.py:Calling.set_logging_level",
        "client/sync.py:SyncClient.set_logging_level",
        "server/fastmcp/_reporting.py:Reporting.log",
        "server/fastmcp/_reporting.py:Reporting.info",
        "server/mcpserver/_reporting.py:Reporting.info",
        "server/lowlevel/_decorators.py:Decorators.set_logging_level",
        "server/_announcing.py:Announcing.send_log_message",
        "_types/logs.py:SetLevelRequest",
    ],
    "httpSse": [
        "client/sse.py:sse_client",
        "client/session_group.py:SseServerParameters",
        "_common/serving.py:Serving.run_sse_async",
        "_common/serving.py:Serving.sse_app",
        "server/fastmcp/_serving.py:ServingBySettings.run_sse_async",
        "server/fastmcp/_serving.py:ServingBySettings.sse_app",
        "server/sse.py:SseServerTransport",
    ],
}


def sources() -> list[Path]:
    return sorted([*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.pyi")])


def is_repeated(node: Definition) -> bool:
    """A second definition of a name that is documented once."""
    marks = [ast.unparse(mark) for mark in node.decorator_list]
    return any(mark == "overload" or mark.endswith((".setter", ".deleter")) for mark in marks)


def public(node: ast.AST, prefix: str = "") -> Iterator[tuple[str, Definition]]:
    """Public classes and functions below a module or class, with their qualified names."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.If, ast.Try, ast.ExceptHandler)):
            yield from public(child, prefix)
        elif isinstance(child, Definition) and not child.name.startswith("_"):
            yield prefix + child.name, child
            if isinstance(child, ast.ClassDef):
                yield from public(child, f"{prefix}{child.name}.")


def undocumented(text: str) -> list[str]:
    tree = ast.parse(text)
    missing = [] if ast.get_docstring(tree) else ["the module"]
    return missing + [
        name for name, node in public(tree) if not is_repeated(node) and not ast.get_docstring(node)
    ]


def test_every_public_name_is_documented():
    missing = {str(path.relative_to(PACKAGE)): undocumented(path.read_text("utf-8")) for path in sources()}
    assert len(missing) > 100, "the package is found"
    assert {path: names for path, names in missing.items() if names} == {}


def test_a_name_without_words_would_be_found():
    text = '"""A module."""\nclass A:\n    """Said."""\n    def f(self): ...\n    def _g(self): ...\n'
    assert undocumented(text) == ["A.f"]


def said_to_have_defaults(text: str) -> Iterator[str]:
    """The parameters of which a docstring names a default, and that have none."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ClassDef):
            makes = [it for it in node.body if isinstance(it, ast.FunctionDef) and it.name == "__init__"]
        else:
            makes = [node] if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else []
        words = (ast.get_docstring(node) or "").partition("Args:\n")[2] if makes else ""
        for function in makes:
            given = function.args.posonlyargs + function.args.args
            needed = {it.arg for it in given[: len(given) - len(function.args.defaults)]}
            needed |= {it.arg for it, value in zip(function.args.kwonlyargs, function.args.kw_defaults) if value is None}
            for name, said in re.findall(r"^    (\w+): (.*(?:\n        .*)*)", words, re.MULTILINE):
                if name in needed and "Default: " in said:
                    yield f"{node.name}: {name}"


def test_a_default_is_named_of_no_parameter_that_has_none():
    wrong = {str(path.relative_to(PACKAGE)): list(said_to_have_defaults(path.read_text("utf-8"))) for path in sources()}
    assert {path: names for path, names in wrong.items() if names} == {}
    text = 'def f(a, *, b=1, c):\n    """Do.\n\n    Args:\n        a: A. Default: 1.\n        b: B. Default: 1.\n        c: C.\n            Default: 2.\n    """\n'
    assert list(said_to_have_defaults(text)) == ["f: a", "f: c"]


def docstring(place: str) -> str:
    path, name = place.split(":")
    found = dict(public(ast.parse((PACKAGE / path).read_text("utf-8"))))
    return " ".join((ast.get_docstring(found[name]) or "").split())


@pytest.mark.parametrize("feature", DEPRECATED)
def test_what_the_protocol_deprecates_says_so_with_the_proposal_and_the_earliest_removal(feature):
    rows = {row["feature"]: row for row in json.loads(API.read_text("utf-8"))["deprecations"]}
    row = rows[feature]
    for place in DEPRECATED[feature]:
        words = docstring(place)
        assert f".. deprecated:: {row['since']} " in words, place
        assert f"{row['reference']}; earliest removal {row['earliest_removal']}." in words, place


def test_what_a_model_is_shown_of_its_surroundings_is_deprecated_by_value():
    text = (PACKAGE / "_types" / "sampling.py").read_text("utf-8")
    tail = text.split("IncludeContext: TypeAlias", 1)[1].split("class ", 1)[0]
    assert ".. deprecated:: 2025-11-25" in tail
    assert "SEP-2596" in tail
    assert "SEP-2596" in docstring("server/_asking.py:Asking.create_message")


def test_importing_what_is_deprecated_warns_nobody():
    names = ["client.sse", "client.streamable_http", "server.sse", "server.session", "types"]
    program = "; ".join(f"import mcpbolt.{name}" for name in names)
    program += "; from mcpbolt.types import Root, CreateMessageRequest, LoggingLevel"
    command = [sys.executable, "-W", "error", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
