"""The guide shows the code that the tests beside this file run, and READMEs run as they are."""

from __future__ import annotations

import pytest
from guide import snippets


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
