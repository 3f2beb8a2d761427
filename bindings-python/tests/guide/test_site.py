"""Pages of the site that say what is tested name what the tests install."""

from __future__ import annotations

import json
import re
from pathlib import Path

from guide import snippets

INTEROP = snippets.ROOT / "tests/interop"
ROW = re.compile(r"^\| (\S+) \| ([\d., ]+) \| (Python|Node) \| .* \| (\d) \| \[.*\]\((.*)\) \|$", re.MULTILINE)


def installed(language: str) -> dict[str, set[str]]:
    """Versions of packages by name, as the lists of the tests pin them."""
    found: dict[str, set[str]] = {}
    if language == "Python":
        for file in INTEROP.glob("requirements*.txt"):
            for name, version in re.findall(r"^([\w.-]+)==(\S+)", file.read_text("utf-8"), re.MULTILINE):
                found.setdefault(name, set()).add(version)
        for file in (INTEROP / "compat").glob("*-sdist.txt"):
            for name, version in re.findall(r"\b(fastmcp)[=-]+(\d[\d.]*\d)", file.read_text("utf-8")):
                found.setdefault(name, set()).add(version)
        return found
    for file in INTEROP.glob("*/package.json"):
        for name, version in json.loads(file.read_text("utf-8"))["dependencies"].items():
            found.setdefault(name, set()).add(version)
    return found


def test_frameworks_are_those_that_tests_install() -> None:
    page = snippets.ROOT / "docs/migrate/frameworks.md"
    rows = ROW.findall(page.read_text("utf-8"))
    assert len(rows) >= 10
    for name, versions, language, _, script in rows:
        pinned = installed(language).get(name, set())
        for version in versions.split(", "):
            assert any(each == version or each.startswith(f"{version}.") for each in pinned), (name, version, pinned)
        assert (page.parent / script).is_file(), script


def test_the_first_pages_show_the_same_in_both_languages() -> None:
    """English and Chinese differ in names and descriptions, and in nothing else."""

    def code(page: Path) -> list[str]:
        text = re.findall(r"^```(?:python|js)\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
        return [re.sub(r'"""[^"]+"""|(?<=FastMCP\()"[^"]+"|(?<=description: )\'[^\']+\'|(?<=name: )\'[^\']+\'', "", each) for each in text]

    docs = snippets.ROOT / "docs"
    assert code(docs / "index.md") == code(docs / "zh/index.md")
