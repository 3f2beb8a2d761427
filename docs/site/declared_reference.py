"""The references of Rust, Kotlin and Swift, from the JSON that `xtask` writes of the sources.

Owns: which name is on which page, and where a name in words or code leads. Must not know: how a
name is shown. What is on the pages is in `declared_pages.py`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from declared_pages import LEFT_OUT, PAGES
from declared_shown import Item, shown
from pages import Broken
from references import Page, anchor


def pages(language: str, declared: Path) -> dict[str, str]:
    """The pages of a language by their file. `declared` is the folder that `xtask` wrote."""
    items = json.loads((declared / f"{language}.json").read_text("utf-8"))
    by_page = placed(language, items)
    reference = Reference(by_page)
    return {page.file: text_of(page, language, by_page[page.file], reference) for page in PAGES[language]}


def placed(language: str, items: list[Item]) -> dict[str, list[Item]]:
    """Each name on the page that names the most of its place; those that a page names come first."""
    keys = {key: page for page in PAGES[language] for key in page.names}
    lost: list[str] = []
    used: set[str] = set()
    found: dict[str, list[tuple[tuple[int, int, int], Item]]] = {page.file: [] for page in PAGES[language]}
    for number, item in enumerate(items):
        place = item["place"]
        known = (*keys, *LEFT_OUT[language])
        fitting = [key for key in known if place == key or place.startswith((f"{key}::", f"{key}/"))]
        if not fitting:
            lost.append(f"{item['name']} of {place}")
            continue
        key = max(fitting, key=len)
        used.add(key)
        if key in keys:
            page = keys[key]
            first = page.names[key]
            order = first.index(item["name"]) if item["name"] in first else len(first)
            found[page.file].append(((list(page.names).index(key), order, number), item))
    wrong = [f"{language} has nothing at {key}" for key in (*keys, *LEFT_OUT[language]) if key not in used]
    wrong += [f"{language}: {key} has no {name}" for key, page in keys.items() for name in missing(page, key, items)]
    if lost or wrong:
        raise Broken("docs/site/declared_pages.py: " + "; ".join([*wrong, *(f"no page for {name}" for name in lost)]))
    return {file: [item for _, item in sorted(all_, key=lambda one: one[0])] for file, all_ in found.items()}


def missing(page: Page, key: str, items: list[Item]) -> Iterable[str]:
    return set(page.names[key]) - {item["name"] for item in items if item["place"].startswith(key)}


class Reference:
    """What each heading is called, and where it is."""

    def __init__(self, by_page: dict[str, list[Item]]) -> None:
        self.headings: dict[int, str] = {}
        # By the name without its type or module: the item, its page, and the anchor of its heading.
        self.places: dict[str, list[tuple[Item, str, str]]] = {}
        for file, items in by_page.items():
            places: dict[str, set[str]] = {}
            for item in items:
                places.setdefault(item["name"], set()).add(item["place"])
            ids: set[str] = set()
            for item in items:
                twice = len(places[item["name"]]) > 1
                module = re.split("::|/", item["place"])[-1]
                heading = f"{module}::{item['name']}" if twice else item["name"]
                self.headings[id(item)] = heading
                self.add(item["name"], item, file, unique(anchor(heading), ids))
                for name in dict.fromkeys(member["name"] for member in item["members"]):
                    self.add(name, item, file, unique(anchor(name), ids))

    def add(self, name: str, item: Item, file: str, at: str) -> None:
        self.places.setdefault(name.replace("::", "."), []).append((item, file, at))

    def to(self, path: str, item: Item, file: str) -> str | None:
        """Where a path leads that stands at an item of a page."""
        parts = [part for part in re.split(r"::|\.", path.removesuffix("()").removesuffix("!")) if part]
        if parts[:1] == ["Self"]:
            parts[0] = item["name"]
        own = item["name"].split(".")
        # Modules may be left out, types may not: one of the same name is another thing in each.
        types = next((at for at, part in enumerate(parts) if part[:1].isupper()), len(parts) - 1)
        for name in [".".join(parts[at:]) for at in range(types + 1)]:
            # Types in a type, and its functions, need not be called by their whole name there.
            for around in [".".join([*own[:depth], name]) for depth in range(len(own), -1, -1)]:
                if place := self.nearest(around, parts, item, file):
                    return place
        # A case or a field has no heading of its own.
        return self.to("::".join(parts[:-1]), item, file) if len(parts) > 1 and parts[-2][:1].isupper() else None

    def nearest(self, name: str, parts: list[str], item: Item, file: str) -> str | None:
        """Of several of one name that which the path names, or that of the same module or page."""
        found = self.places.get(name, [])

        def near(place: tuple[Item, str, str]) -> tuple[bool, bool, bool, int]:
            modules = re.split("::|/", place[0]["place"])
            named = len(parts) > 1 and parts[-2] in modules
            return (named, place[0]["place"] == item["place"], place[1] == file, -len(modules))

        if not found:
            return None
        _, page, at = max(found, key=near)
        return f"{'' if page == file else page}#{at}"


def unique(wanted: str, ids: set[str]) -> str:
    """As the site's generator calls the second heading of one name."""
    found, number = wanted, 0
    while found in ids:
        number += 1
        found = f"{wanted}_{number}"
    ids.add(found)
    return found


def text_of(page: Page, language: str, items: list[Item], reference: Reference) -> str:
    def to(path: str, item: Item) -> str | None:
        return reference.to(path, item, page.file)

    lines = [f"# {page.title}", "", page.question, ""]
    for item in items:
        lines += shown(item, reference.headings[id(item)], language, to)
    return "\n".join(lines) + "\n"
