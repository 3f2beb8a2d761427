"""What tests are given. Their helpers are the modules beside this one, see `pythonpath` in
`pyproject.toml`.
"""

from __future__ import annotations

import pytest
from ports import free_port

from mcpbolt._engine import face
from mcpbolt.compat._faces import OfficialFace


@pytest.fixture
def port() -> int:
    """A port that nobody listens on."""
    return free_port()


@pytest.fixture
def as_official(monkeypatch: pytest.MonkeyPatch) -> None:
    """This package stands in for the official one, its words and defects included."""
    monkeypatch.setattr(face, "current", OfficialFace())
