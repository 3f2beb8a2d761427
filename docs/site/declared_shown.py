"""One name of Rust, Kotlin or Swift as Markdown, from the JSON that `xtask` writes of the sources.

Owns: what is said of a name, in which order, and what links in words become. Must not know: which
names are on which page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any

from pages import FENCE, REPOSITORY
from references import table

Item = dict[str, Any]
# Finds where a name is shown that stands in the words or the code of an item.
To = Callable[[str, Item], str | None]

# Code, which is left alone unless it is the name of something; a link of rustdoc or KDoc, with or without
# words of its own; one of DocC.
WORDS = re.compile(
    r"``(?P<docc>[^`]+)``"
    r"|`(?P<code>[^`]+)`"
    r"|\[(?P<mark>`?)(?P<name>[A-Za-z_][\w:.!]*(?:\(\))?)(?P=mark)\](?!\()"
    r"|\[(?P<text>[^\]]+)\]\((?P<target>[A-Za-z_][\w:.!]*(?:\(\))?)\)"
)
TYPE = re.compile(r"\b[A-Z]\w+(?:(?:\.|::)[A-Z]\w+)*")
# What stands in code and is no name of a type, such as a case of an enum.
NO_NAMES = re.compile(r'"[^"]*"|//[^\n]*|/\*.*?\*/|^ +[A-Z]\w*(?=[,({ ]|$)', re.MULTILINE)


def shown(item: Item, heading: str, language: str, to: To) -> list[str]:
    """A type with its functions, or a function or constant by itself."""
    place = f"`{item['place']}::{item['name']}` · " if language == "rust" else ""
    source = f"[source]({REPOSITORY}{item['file']}#L{item['line']})"
    lines = [f"## `{heading}`", "", place + source, "", *described([item], item, language, to)]
    for name, members in groupby(item["members"], key=lambda member: member["name"]):
        lines += [f"### `{name}`", "", *described(list(members), item, language, to)]
    return lines


def described(calls: list[Item], item: Item, language: str, to: To) -> list[str]:
    """The code and the words of each of the functions that have one name."""
    lines: list[str] = []
    for call in calls:
        lines += [f"```{language}", call["code"], "```", "", *words(call["words"], item, to)]
        lines += [part for note in call["notes"] for part in (linked(note, item, to), "")]
        lines += rows(call, item, to)
    used = links((call["code"] for call in calls), item, to)
    return [*lines, f"See {used}.", ""] if used else lines


def words(said: dict[str, Any], item: Item, to: To) -> list[str]:
    """A comment: a warning first, what is given, what comes back, what is thrown."""
    lines: list[str] = []
    if said["deprecated"] is not None:
        lines += [f"**Deprecated.** {linked(said['deprecated'], item, to)}".rstrip(), ""]
    if said["text"]:
        lines += [linked(said["text"], item, to), ""]
    if said["parameters"]:
        lines += table("parameter", [(f"`{name}`", cell(meaning, item, to)) for name, meaning in said["parameters"]])
    if said["returns"]:
        lines += [f"Returns {linked(said['returns'], item, to)}", ""]
    for name, when in said["throws"]:
        lines += [f"Throws {linked(f'`{name}`', item, to)} {linked(when, item, to)}".rstrip(), ""]
    return lines


def rows(call: Item, item: Item, to: To) -> list[str]:
    """Fields, properties and cases: one row each, or a heading for what has an example."""
    told: list[tuple[str, str]] = []
    lines: list[str] = []
    for row in call["rows"]:
        said = row["words"]
        if "```" in said["text"]:
            lines += [f"**`{row['name']}`**", "", *words(said, item, to)]
        elif said["text"] or said["deprecated"] is not None:
            deprecated = "" if said["deprecated"] is None else f"Deprecated. {said['deprecated']} "
            told.append((f"`{row['name']}`", cell(deprecated + said["text"], item, to)))
    return [*(table("member", told) if told else []), *lines]


def cell(text: str, item: Item, to: To) -> str:
    """Words in one line of a table."""
    return linked(" ".join(text.split()), item, to).replace("|", "\\|")


def linked(text: str, item: Item, to: To) -> str:
    """The text with links as the site has them. A name that is not shown is code."""

    def link(found: re.Match[str]) -> str:
        if found["code"] is not None:
            own = found["code"] == item["name"]
            place = to(found["code"], item) if TYPE.fullmatch(found["code"]) and not own else None
            return f"[`{found['code']}`]({place})" if place else found[0]
        if found["text"] is not None:
            place = to(found["target"], item)
            return f"[{found['text']}]({place})" if place else found["text"]
        name = found["docc"] or found["name"]
        place = to(name, item)
        short = name.removeprefix("crate::").removeprefix("super::").removeprefix("Self::")
        return f"[`{short}`]({place})" if place else f"`{short}`"

    out: list[str] = []
    inside = False
    # A paragraph at a time: a link may go over the end of a line.
    for is_fence, lines in groupby(text.split("\n"), key=lambda line: bool(FENCE.match(line))):
        if is_fence:
            fences = list(lines)
            inside ^= len(fences) % 2 == 1
            out += fences
        else:
            part = "\n".join(lines)
            out.append(part if inside else WORDS.sub(link, part))
    return "\n".join(out)


def links(codes: Iterable[str], item: Item, to: To) -> str:
    """The types in code that are shown elsewhere."""
    found: dict[str, str] = {}
    for code in codes:
        for name in TYPE.findall(NO_NAMES.sub("", code)):
            place = to(name, item)
            if place and name not in (item["name"], "Self"):
                found.setdefault(place, f"[`{name}`]({place})")
    return ", ".join(found.values())
