"""The names of 2.x: one program on the official package 2.x and on this one, byte for
byte what is on the wire, but for what was decided to be different.
"""

from __future__ import annotations

from typing import Any

import pytest
from peer import MODERN
from talk import Talk

pytestmark = pytest.mark.skipif(not MODERN, reason="MCPBOLT_TEST_PYTHON_MCP2 names no interpreter")
ERAS = pytest.mark.parametrize("modern", [False, True], ids=["legacy", "modern"])


CALLS = [
    ("add", {"a": 1}),
    ("add", {"a": "x"}),
    ("add", {}),
    ("weather", {"city": "Bern"}),
    ("refuse", {}),
    ("sorry", {}),
    ("crash", {}),
    ("look", {}),
    ("resolved", {"title": "Mx"}),
]
READS = ["note://one", "note://bad", "note://gone/a", "note://gone/busy"]
REFERENCE = {"type": "ref/prompt", "name": "greet"}
SAME: list[tuple[str, dict[str, Any]]] = [
    ("tools/list", {}),
    *(("tools/call", {"name": name, "arguments": arguments}) for name, arguments in CALLS),
    ("resources/list", {}),
    ("resources/templates/list", {}),
    *(("resources/read", {"uri": uri}) for uri in READS),
    ("prompts/list", {}),
    ("prompts/get", {"name": "greet", "arguments": {"name": "Ada"}}),
    ("completion/complete", {"ref": REFERENCE, "argument": {"name": "name", "value": "x"}}),
]


@ERAS
def test_a_program_in_the_names_of_2_x_says_the_same_on_either_package(modern: bool) -> None:
    asks = [*SAME, ("tools/call", {"name": "asking"})] if modern else SAME
    with Talk("mcp", "modern_surface.py", modern) as theirs, Talk("mcpbolt", "modern_surface.py", modern) as ours:
        for method, params in asks:
            assert ours.ask(method, params) == theirs.ask(method, params), (method, params)
        assert ours.asked == theirs.asked and len(ours.asked) == (2 if modern else 1)
        if not modern:
            for member in ("protocolVersion", "serverInfo", "instructions"):
                assert ours.hello["result"][member] == theirs.hello["result"][member]


@ERAS
def test_what_was_decided_to_be_different(modern: bool) -> None:
    with Talk("mcpbolt", "modern_surface.py", modern) as ours:
        unknown = ours.ask("tools/call", {"name": "nope"})
        assert unknown == {"jsonrpc": "2.0", "error": {"code": -32602, "message": "Unknown tool: nope"}}
        resource = ours.ask("resources/read", {"uri": "note://nope"})["error"]
        assert (resource["code"], resource["data"]) == (-32602 if modern else -32002, {"uri": "note://nope"})
        assert ours.ask("prompts/get", {"name": "greet"})["error"]["code"] == -32602
        assert ours.ask("nothing/here", {})["error"]["code"] == -32601


@ERAS
def test_handlers_by_keyword_say_the_same_on_either_package(modern: bool) -> None:
    asks: list[tuple[str, dict[str, Any]]] = [
        ("tools/list", {}),
        ("tools/list", {"cursor": "2"}),
        ("tools/call", {"name": "a", "arguments": {"b": 1}}),
        ("tools/call", {"name": "bad"}),
        ("tools/call", {"name": "refuse"}),
        ("tools/call", {"name": "stopped"}),
        ("resources/read", {"uri": "x://y"}),
        ("prompts/get", {"name": "p", "arguments": {"a": "b"}}),
        ("example/twice", {"number": 4}),
        ("example/twice", {}),
        ("example/twice", {"number": "x"}),
    ]
    with Talk("mcp", "handler_surface.py", modern) as theirs, Talk("mcpbolt", "handler_surface.py", modern) as ours:
        for method, params in asks:
            assert ours.ask(method, params) == theirs.ask(method, params), (method, params)
