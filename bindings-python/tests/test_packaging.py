"""What is installed and with what it is tested. The wheel itself: `wheel.py`."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).resolve().parent
BINDING = HERE.parent
# Parts of later standard libraries.
BACKPORTS = {"exceptiongroup", "tomli"}


def names(file: str) -> set[str]:
    lines = (HERE / file).read_text("utf-8").splitlines()
    return {line.split("==")[0].lower().replace("_", "-") for line in lines if "==" in line}


def test_the_oldest_python_is_tested_with_the_same_packages() -> None:
    assert len(names("requirements.txt")) > 30
    assert names("requirements-3.10.txt") - BACKPORTS == names("requirements.txt")


def test_type_checkers_find_the_types_and_the_licences_are_those_of_the_project() -> None:
    assert (BINDING / "python" / "mcpbolt" / "py.typed").is_file()
    for name in ("LICENSE-MIT", "LICENSE-APACHE"):
        assert (BINDING / name).read_text("utf-8") == (BINDING.parent / name).read_text("utf-8")


def test_the_extension_says_that_it_needs_no_global_lock() -> None:
    assert "#[pymodule(gil_used = false)]" in (BINDING / "src" / "lib.rs").read_text("utf-8")
