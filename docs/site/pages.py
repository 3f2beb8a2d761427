"""One page of the repository as the site's generator wants it.

Owns: what changes between a page that reads well where the repository is shown and a page of
the site: languages become tabs, programs are put where they are named, links to what is not
part of the site lead to the repository. Must not know: which pages there are.
"""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath
from typing import Any

TOP = Path(__file__).resolve().parents[2]
DOCS = TOP / "docs"
# What pages show; it is published beside them.
PICTURES = (".png", ".svg")
REPOSITORY = "https://github.com/mcpbolt/mcpbolt/blob/main/"

# As the headings of chapters say, and as the tabs do; in the order of the tabs.
LANGUAGES = {"Python": "Python", "Node": "TypeScript", "Rust": "Rust", "Kotlin": "Kotlin", "Swift": "Swift"}
INCLUDE = re.compile(r'^(?P<indent> *)--8<-- "(?P<path>[^"#]+)(?:#(?P<section>[^"]+))?"$')
COMMENT = re.compile(r"^<!-- (newcomer|figures|matrix|end of figures).*-->\n", re.MULTILINE)
FENCE = re.compile(r"^(?P<indent> *)(?P<mark>`{3,})(?P<info>.*)$")
LINK = re.compile(r"(?P<before>\]\()(?P<target>[^)\s]+)(?P<after>\))")


class Broken(Exception):
    """A page names what is not there."""


def listed(nav: list[Any]) -> list[str]:
    """The pages of a navigation, in its order."""
    found: list[str] = []
    for entry in nav:
        values = [entry] if isinstance(entry, str) else list(entry.values())
        for value in values:
            found += [value] if isinstance(value, str) else listed(value)
    return found


def staged(path: Path) -> str:
    """The page at a path below `docs`, for the site."""
    text = with_others(linked(path.read_text("utf-8"), path, path), path)
    return tabbed(without_hidden_lines(COMMENT.sub("", text)))


def with_others(text: str, page: Path) -> str:
    """The text, with a program or a section of another page where a line names one."""
    out: list[str] = []
    for line in text.splitlines():
        found = INCLUDE.match(line)
        if found is None:
            out.append(line)
            continue
        file = TOP / found["path"]
        if not file.is_file():
            raise Broken(f"{page.relative_to(TOP)}: {found['path']} is not there")
        other = file.read_text("utf-8")
        if found["section"]:
            other = linked(section_of(other, found["section"], file), file, page)
        out += [f"{found['indent']}{each}".rstrip() for each in other.splitlines()]
    return "\n".join([*out, ""])


def section_of(text: str, title: str, file: Path) -> str:
    """What stands below a heading of the second order."""
    _, found, after = text.partition(f"\n## {title}\n")
    if not found:
        raise Broken(f"{file.relative_to(TOP)} has no section {title}")
    return after.partition("\n## ")[0].strip("\n") + "\n"


def without_hidden_lines(text: str) -> str:
    """Rust as its documentation shows it: lines that only the compiler reads are left out."""
    out: list[str] = []
    inside = ""
    for line in text.splitlines():
        fence = FENCE.match(line)
        if fence and not inside:
            inside = fence["info"].split(",")[0].strip() or "text"
            line = f"{fence['indent']}{fence['mark']}{inside}"
        elif fence and not fence["info"].strip():
            inside = ""
        elif inside == "rust" and (line == "#" or line.startswith("# ")):
            continue
        out.append(line)
    return "\n".join([*out, ""])


def linked(text: str, path: Path, page: Path) -> str:
    """The text of a file, as it stands on a page: links to files outside of the site lead to the
    repository, the others from that page.
    """

    def target(found: re.Match[str]) -> str:
        place, hash_mark, anchor = found["target"].partition("#")
        if not place or ":" in place:
            return found[0]
        file = (path.parent / place).resolve()
        if not file.exists():
            raise Broken(f"{path.relative_to(TOP)}: {place} is not there")
        if file.is_relative_to(DOCS) and file.is_file() and file.suffix in (".md", *PICTURES):
            place = os.path.relpath(file, page.parent)
        else:
            place = REPOSITORY + str(PurePosixPath(file.relative_to(TOP)))
        return f"{found['before']}{place}{hash_mark}{anchor}{found['after']}"

    out, inside = [], False
    for line in text.splitlines():
        if FENCE.match(line):
            inside = not inside
        out.append(line if inside else LINK.sub(target, line))
    return "\n".join([*out, ""])


def tabbed(text: str) -> str:
    """The text with sections that are named after languages, one after the other, made tabs."""
    out: list[str] = []
    run: dict[str, list[str]] = {}
    language, inside = "", False
    for line in text.splitlines():
        if FENCE.match(line):
            inside = not inside
        heading = not inside and re.fullmatch(r"(#{2,3}) (.+)", line)
        if heading and heading[1] == "###" and heading[2] in LANGUAGES:
            language = heading[2]
            run[language] = []
        elif heading and language:
            out += [*tabs(run), line]
            language, run = "", {}
        elif language:
            run[language].append(line)
        else:
            out.append(line)
    return "\n".join([*out, *tabs(run), ""])


def tabs(sections: dict[str, list[str]]) -> list[str]:
    out: list[str] = []
    for heading, name in LANGUAGES.items():
        if heading in sections:
            out += [f'=== "{name}"', ""]
            out += [f"    {line}".rstrip() for line in sections[heading]]
            out.append("")
    return out
