"""The code blocks of a page, and what the comment before each says is done with it.

    <!-- newcomer: install -->                    what is installed, in the checkout
    <!-- newcomer: install here -->               the same in the project's folder; `beside`: in the folder around it
    <!-- newcomer: file=client.py -->             the block is that file
    <!-- newcomer: file=client.py run says=3 -->  and is run
    <!-- newcomer: run says={'result': 3} -->     command lines, and what they print
    <!-- newcomer: serve port=8000 -->            a command that goes on until the section ends; `with=nginx`: if that is here
    <!-- newcomer: commands -->                   command lines of `mcpbolt`: the first is run, of the others the help is asked
    <!-- newcomer: shown -->                      not run here

Owns: reading. A block in a language we have an environment for that has no comment is a
fault, so that a new one is thought of; but one that only names a program of the repository
has tests of its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

# Blocks in these are marked, each of them.
OURS = {"python", "py", "js", "mjs", "cjs", "javascript", "ts", "typescript", "rust", "sh", "bash", "shell", "console"}
# Our packages: the languages of those who want one, and the command that runs their programs.
PACKAGES = {
    "bindings-python": ({"python", "py"}, "python"),
    "bindings-node": ({"js", "mjs", "cjs", "javascript", "ts", "typescript"}, "node"),
}
MARK = re.compile(r"<!--\s*newcomer:\s*(?P<what>.*?)\s*-->")
WHAT = re.compile(r"(?P<verb>install|run|commands|shown|serve port=(?P<port>\d+)|file=(?P<file>\S+))(?P<words>(?: (?:here|beside|run|with=\w+))*)(?: says=(?P<says>.+)|(?P<why>,? .+))?")
# A line that names a program, in whose place the site has the program.
PROGRAM = re.compile(r'--8<-- "[^"]+"\n')
FENCE = re.compile(r"(?P<mark>`{3,}|~{3,})(?P<info>[^`]*)")


@dataclass
class Block:
    """One fence."""

    line: int
    language: str
    text: str
    verb: str = ""
    file: str = ""
    port: int = 0
    words: tuple[str, ...] = ()
    says: str = ""


@dataclass
class Section:
    """What stands below one heading of the second order: one project."""

    title: str
    blocks: list[Block] = field(default_factory=list)

    @property
    def runs(self) -> bool:
        return any(block.verb in ("run", "commands") or "run" in block.words for block in self.blocks)

    def needs(self, folder: str) -> bool:
        """Whether it wants the package in a folder of the checkout, and leaves it to another page to say
        how it is installed.
        """
        languages, command = PACKAGES[folder]
        wanted = any(block.language in languages or command in block.text.split() for block in self.blocks)
        return wanted and not any(block.verb == "install" and folder in block.text for block in self.blocks)

    @property
    def ports(self) -> set[int]:
        """Those that its text has and that its programs listen on."""
        return {block.port for block in self.blocks if block.port}


def read(page: Path) -> tuple[list[Section], list[str]]:
    """The sections of a page, and what is wrong with its marks."""
    sections, faults = [Section("")], []
    lines = page.read_text("utf-8").splitlines()
    mark: tuple[int, str] | None = None
    at = 0
    while at < len(lines):
        line = lines[at]
        if found := MARK.fullmatch(line.strip()):
            if mark:
                faults.append(f"{page.name}:{mark[0]}: no block follows")
            mark = (at + 1, found["what"])
        elif fence := FENCE.fullmatch(line):
            end = next(below for below in range(at + 1, len(lines)) if lines[below].strip() == fence["mark"])
            language = re.split(r"[\s,]", fence["info"].strip())[0].lower()
            block = Block(at + 1, language, "\n".join([*lines[at + 1 : end], ""]))
            faults += [f"{page.name}:{at + 1}: {why}" for why in told(block, mark and mark[1])]
            sections[-1].blocks.append(block)
            mark, at = None, end
        elif line.strip():
            if mark:
                faults.append(f"{page.name}:{mark[0]}: no block follows")
                mark = None
            if line.startswith("## "):
                sections.append(Section(line[3:].strip()))
        at += 1
    return sections, faults


def told(block: Block, mark: str | None) -> list[str]:
    """Writes what a mark says into its block; what is wrong with it otherwise."""
    if mark is None:
        ours = block.language in OURS and not PROGRAM.fullmatch(block.text)
        return [f"a block in {block.language} without <!-- newcomer: … --> before it"] if ours else []
    said = WHAT.fullmatch(mark)
    if not said:
        return [f"newcomer: {mark!r} is none of install, file=, run, serve, commands, shown"]
    block.verb = said["verb"].partition("=")[0].partition(" ")[0]
    block.port = int(said["port"] or 0)
    block.file, block.says = said["file"] or "", said["says"] or ""
    block.words = tuple(said["words"].split())
    if block.verb != "shown" and said["why"]:
        return [f"newcomer: {said['why'].strip()!r} is not understood"]
    if (block.verb == "run" or "run" in block.words) and not block.says:
        return ["newcomer: a run without says="]
    if block.verb == "file" and (Path(block.file).is_absolute() or ".." in Path(block.file).parts):
        return [f"newcomer: {block.file} lies outside of the project"]
    return []
