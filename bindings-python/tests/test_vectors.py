"""The scripts of `tests/vectors/binding`, through the public API, with the fast path and
without: both ways the same messages.
"""

from __future__ import annotations

from typing import Any

import pytest
from vector_script import MODERN, Fault, run, vectors
from vector_sides import ClientSide, ServerSide

ALL = [
    pytest.param(vector, revision, id=f"{name}-{revision}")
    for name, vector in vectors()
    for revision in vector.get("revisions", ["2025-11-25", MODERN])
]


@pytest.mark.parametrize("vector, revision", ALL)
def test_every_vector_holds(vector: dict[str, Any], revision: str) -> None:
    if vector["side"] == "client":
        run(ClientSide, vector, revision)
        return
    fast = run(lambda: ServerSide(True), vector, revision)
    if not vector.get("fast_path"):
        assert run(lambda: ServerSide(False), vector, revision) == fast


CALL = {"recv": {"id": 1, "method": "tools/call", "params": {"name": "echo", "arguments": {"text": "hi"}}}}
ANSWER = {"send": {"id": 1, "result": {"content": [{"text": "hi"}]}}}
HANG = {"recv": {"id": 1, "method": "tools/call", "params": {"name": "hang", "arguments": {}}}}
WRONG: list[list[dict[str, Any]]] = [
    [CALL, CALL],
    [CALL, {"quiet": True}],
    [CALL, {"send": {"id": 2}}],
    [CALL, {"send": {"id": 1, "result": "$absent"}}],
    [CALL, {"send": {"id": 1, "result": {"content": [{"text": "$contains:ho"}]}}}],
    [HANG],
    [{"do": {"release": "nobody"}}],
    [{"recv": "$get:nothing"}],
    [{"sends": 1}],
]


@pytest.mark.parametrize("steps", WRONG, ids=range(len(WRONG)))
def test_a_vector_that_does_not_hold_is_noticed(steps: list[dict[str, Any]]) -> None:
    for revision in ("2025-11-25", MODERN):
        assert run(lambda: ServerSide(True), {"side": "server", "steps": [CALL, ANSWER]}, revision)
        with pytest.raises(Fault):
            run(lambda: ServerSide(True), {"side": "server", "steps": steps}, revision)
