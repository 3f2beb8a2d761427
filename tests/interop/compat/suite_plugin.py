"""A plugin of pytest for `suite.py`: tests written for the official package, on mcpbolt.

Writes what fails, one line each, to the file that `SUITE_FAILED` names, and what ran to that of
`SUITE_RAN`. Where a test file imports a name that is not here, or anything of a private module
that is not here, it gets one that fails when it is used: the other tests of the file run.
"""

import ast
import importlib
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import mcp
import pytest

if "mcpbolt" not in Path(mcp.__file__ or "").parts:
    raise RuntimeError(f"these are to be tests of mcpbolt, not of {mcp.__file__}")


class _Absent:
    def __init__(self, *_: Any, **__: Any) -> None:
        raise NotImplementedError(f"{type(self).__name__} is not in mcpbolt")

    def __class_getitem__(cls, _: Any) -> Any:
        return cls


def _make_up(file: Path) -> None:
    for node in ast.walk(ast.parse(file.read_text())):
        if not isinstance(node, ast.ImportFrom):
            continue
        wanted = node.module or ""
        if wanted.partition(".")[0] not in ("mcp", "mcp_types"):
            _make_up_for(wanted, file)
            continue
        module = _module(wanted)
        if module is None:
            continue
        for name in (alias.name for alias in node.names):
            if not hasattr(module, name) and not _is_module(f"{module.__name__}.{name}"):
                setattr(module, name, type(name, (_Absent,), {}))


def _make_up_for(name: str, file: Path) -> None:
    """The same for another file of tests, which a file imports."""
    own = name.rpartition(".")[2]
    if not own.startswith("test_"):
        return
    for other in (file.parent / f"{own}.py", Path(*name.split(".")).with_suffix(".py")):
        if other.is_file() and other != file:
            _make_up(other)
            return


def _module(name: str) -> ModuleType | None:
    """A module, or one that is empty in place of a private one that is not here."""
    try:
        return importlib.import_module(name)
    except ImportError:
        if not name.rpartition(".")[2].startswith("_"):
            return None
    made = sys.modules[name] = ModuleType(name)
    above, _, own = name.rpartition(".")
    setattr(importlib.import_module(above), own, made)
    return made


def _is_module(name: str) -> bool:
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True


def pytest_collectstart(collector: pytest.Collector) -> None:
    """Before a file is imported."""
    if isinstance(collector, pytest.Module):
        _make_up(collector.path)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """A file that cannot be imported."""
    if report.failed:
        _tell("SUITE_FAILED", report.nodeid)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """A test that fails, or what it needs; a test that ran."""
    if report.failed:
        _tell("SUITE_FAILED", report.nodeid)
    if report.when == "call":
        _tell("SUITE_RAN", report.nodeid)


def _tell(where: str, name: str) -> None:
    with open(os.environ[where], "a") as file:
        file.write(f"{name}\n")
