"""Builds the site: `cargo xtask docs`, which runs this in an environment with `requirements.txt`.

    build.py FOLDER --typedoc TOOLS --declared READ [--serve]

Lays the pages of `docs` out in FOLDER as the generator wants them, adds the references of five
languages and the lists for language models, and builds strictly: a warning fails it. What was
built is in FOLDER/html. TOOLS is where `docs/site/typescript` is installed, READ is what `xtask`
wrote of the sources of Rust, Kotlin and Swift.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

import declared_pages
import declared_reference
import llms
import python_reference
import typescript_reference
from pages import DOCS, PICTURES, Broken, listed, staged
from references import Page

HERE = Path(__file__).resolve().parent
# Below `docs`, and no pages of the site.
OTHERS = ("site",)
SAYS_WARNING = re.compile(r"\bwarning\b", re.IGNORECASE)


def lay_out(folder: Path, typedoc: Path, declared: Path, nav: list[str]) -> None:
    """Writes all pages. Each has to be in the navigation, or nobody would find it."""
    pages = folder / "pages"
    python, typescript = python_reference.pages(), typescript_reference.pages(typedoc, folder)
    made = {f"reference/python/{name}": text for name, text in python.items()}
    made |= {f"reference/typescript/{name}": text for name, text in typescript.items()}
    for language in declared_pages.PAGES:
        read = declared_reference.pages(language, declared)
        made |= {f"reference/{language}/{name}": text for name, text in read.items()}
    for page in sorted(DOCS.rglob("*.md")):
        name = page.relative_to(DOCS).as_posix()
        if page.relative_to(DOCS).parts[0] not in OTHERS:
            made[name] = staged(page)
    # Links to pages that are written here cannot stand in those of the repository.
    link(made, "reference/index.md", "| Python |", "python", python_reference.PAGES)
    link(made, "reference/index.md", "| TypeScript |", "typescript", typescript_reference.PAGES)
    for language, each in declared_pages.PAGES.items():
        link(made, "reference/index.md", f"| {language.title()} |", language, each)
    link(made, "reference/rust.md", "On the site", "rust", declared_pages.RUST)
    link(made, "reference/kotlin-swift.md", "Kotlin on the site", "kotlin", declared_pages.KOTLIN)
    link(made, "reference/kotlin-swift.md", "Swift on the site", "swift", declared_pages.SWIFT)
    link(made, "reference/typescript.md", "Types and their documentation", "typescript", typescript_reference.PAGES)
    if set(made) != set(nav):
        raise Broken(f"not in the navigation, or not there: {sorted(set(made) ^ set(nav))}")
    for name, text in made.items():
        file = pages / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    for picture in DOCS.rglob("*"):
        if picture.suffix in PICTURES:
            copy = pages / picture.relative_to(DOCS)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(picture, copy)
    for ours in ("javascripts", "stylesheets"):
        shutil.copytree(HERE / ours, pages / ours)


def link(made: dict[str, str], page: str, start: str, folder: str, pages: Iterable[Page]) -> None:
    """Makes links of the references' pages in the line of a page that starts so, and that has all of them."""
    lines = made[page].splitlines()
    at = next((number for number, line in enumerate(lines) if line.startswith(start)), None)
    if at is None:
        raise Broken(f"docs/{page} has no line that starts with: {start}")
    for each in pages:
        if each.short not in lines[at]:
            raise Broken(f"docs/{page} does not say in its line about the reference: {each.short}")
        lines[at] = lines[at].replace(each.short, f"[{each.short}]({folder}/{each.file})")
    made[page] = "\n".join([*lines, ""])


def build(folder: Path) -> bool:
    """Whether the generator built the site and said nothing against it."""
    command = [sys.executable, "-m", "zensical", "build", "--clean", "--strict"]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    said = ran.stdout + ran.stderr
    print(said, end="")
    return ran.returncode == 0 and not SAYS_WARNING.search(said)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--typedoc", type=Path, required=True, help="where docs/site/typescript is installed")
    parser.add_argument("--declared", type=Path, required=True, help="what xtask wrote of other languages' sources")
    parser.add_argument("--serve", action="store_true", help="serve it at http://127.0.0.1:8000 afterwards")
    given = parser.parse_args()
    folder = given.folder.resolve()
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "pages").mkdir(parents=True)
    shutil.copy(HERE / "zensical.toml", folder)
    project = tomllib.loads((HERE / "zensical.toml").read_text("utf-8"))["project"]
    nav = listed(project["nav"])
    try:
        lay_out(folder, given.typedoc.resolve(), given.declared.resolve(), nav)
    except Broken as wrong:
        print(wrong, file=sys.stderr)
        return 1
    if not build(folder):
        return 1
    llms.write(folder, project, nav)
    if given.serve:
        serve = ["http.server", "--bind", "127.0.0.1", "--directory", str(folder / "html"), "8000"]
        return subprocess.run([sys.executable, "-m", *serve], check=False).returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
