"""`llms.txt` and `llms-full.txt`: the pages for programs that read.

Owns: their form, which is that of llmstxt.org. A page's text is the one it was built from.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pages import listed

# Long tables that answer no question of a program; they are linked.
LINKED_ONLY = ("bench.md", "house.md", "dependencies.md")


def write(folder: Path, project: dict[str, Any], nav: list[str]) -> None:
    """Writes both beside the site's pages."""
    base = project["site_url"]
    short = [f"# {project['site_name']}", "", f"> {project['site_description']}", ""]
    full: list[str] = []
    for section in project["nav"]:
        for title, entries in section.items():
            short += [f"## {title}", "", *(row(folder, base, page) for page in listed(entries)), ""]
    for page in nav:
        if page not in LINKED_ONLY:
            text = (folder / "pages" / page).read_text("utf-8")
            full += [f"<!-- {address(base, page)} -->", text]
    (folder / "html" / "llms.txt").write_text("\n".join(short), "utf-8")
    (folder / "html" / "llms-full.txt").write_text("\n".join(full), "utf-8")


def address(base: str, page: str) -> str:
    """Where a page is published."""
    path = page.removesuffix(".md")
    for index in ("index", "README"):
        if path == index or path.endswith(f"/{index}"):
            return base + path.removesuffix(index)
    return f"{base}{path}/"


def row(folder: Path, base: str, page: str) -> str:
    """The page's title and the first sentence below it."""
    lines = (folder / "pages" / page).read_text("utf-8").splitlines()
    title = next(line[2:] for line in lines if line.startswith("# "))
    words = (line for line in lines if line and line[0] not in "#|<![=" and not line.startswith("    "))
    first = next(words, "").split(". ")[0].rstrip(".")
    return f"- [{title}]({address(base, page)}): {first}"
