"""Descriptions of parameters in docstrings, in the styles of Google, NumPy and Sphinx."""

from __future__ import annotations

import inspect
import re

_SPHINX = re.compile(r"^:param\s+(?:[^:]*?\s)?(\w+)\s*:\s*(.*)$")
_GOOGLE_HEAD = re.compile(r"^(?:Args|Arguments|Parameters|Params)\s*:\s*$")
_GOOGLE_ROW = re.compile(r"^(\*{0,2}\w+)\s*(?:\([^)]*\))?\s*:\s*(.*)$")
_NUMPY_ROW = re.compile(r"^(\*{0,2}\w+(?:\s*,\s*\*{0,2}\w+)*)\s*(?::.*)?$")


def parameter_descriptions(doc: str) -> dict[str, str]:
    """The description of each parameter in a docstring, joined to one line."""
    lines = inspect.cleandoc(doc).splitlines()
    found: dict[str, list[str]] = {}
    for number, line in enumerate(lines):
        if _GOOGLE_HEAD.match(line):
            _google(lines[number + 1 :], found)
        elif line.strip() == "Parameters" and set(_at(lines, number + 1).strip()) == {"-"}:
            _numpy(lines[number + 2 :], found)
        elif match := _SPHINX.match(line):
            rest = [match[2], *_indented(lines[number + 1 :])]
            found[match[1]] = rest
    return {name: " ".join(part.strip() for part in parts if part.strip()) for name, parts in found.items()}


def _at(lines: list[str], number: int) -> str:
    return lines[number] if number < len(lines) else ""


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _indented(lines: list[str]) -> list[str]:
    rows: list[str] = []
    for line in lines:
        if not line.strip() or not _depth(line):
            break
        rows.append(line)
    return rows


def _google(lines: list[str], found: dict[str, list[str]]) -> None:
    depth = 0
    name = ""
    for line in lines:
        if not line.strip():
            continue
        if not _depth(line):
            return
        depth = depth or _depth(line)
        match = _GOOGLE_ROW.match(line.strip()) if _depth(line) == depth else None
        if match:
            name = match[1].lstrip("*")
            found[name] = [match[2]]
        elif name:
            found[name].append(line)


def _numpy(lines: list[str], found: dict[str, list[str]]) -> None:
    names: list[str] = []
    for number, line in enumerate(lines):
        if set(_at(lines, number + 1).strip()) == {"-"}:
            return
        if not line.strip():
            continue
        if _depth(line):
            for name in names:
                found[name].append(line)
        elif match := _NUMPY_ROW.match(line):
            names = [name.strip().lstrip("*") for name in match[1].split(",")]
            found.update({name: [] for name in names})
