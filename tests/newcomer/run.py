"""What the front pages print, done as a newcomer would.

    cargo xtask test newcomer [--only REGEX]
    cargo xtask test newcomer-installed [--only REGEX]

The files that a page shows go into an empty folder, its command lines are run there in a
terminal with an empty home, and what it promises must be printed. Packages are those that
are built; with `--full` they are installed from nothing by the lines of the page.

Owns: the order of things. Pages are read by `blocks.py`, folders are `places.py`, what goes on
beside the others is `serving.py`.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from blocks import PACKAGES, Block, Section, read
from places import TOP, Place, libraries
from serving import Failed, NotHere, Serving, answers

sys.path += [str(TOP / "tests/mistakes"), str(TOP / "bindings-python/tests")]
from ports import free_port  # noqa: E402
from terminal import Terminal, in_terminal  # noqa: E402

PAGES = ("README.md", "README.zh-CN.md", "bindings-python/README.md", "bindings-node/README.md")
# Those of the site that are not chapters of the guide, whose code has tests beside it.
FOLDERS = ("start", "migrate", "cookbook", "deploy", "zh")
# Where those send their readers for the package.
FIRST = "docs/index.md"
# Of one block. From nothing, everything is compiled.
SECONDS, SECONDS_FULL = 300, 3600
# Of a server, until it answers.
STARTS = 60
RUNS = {".py": "python", ".mjs": "node", ".cjs": "node", ".js": "node"}


class Newcomer:
    """Works through one section."""

    def __init__(self, place: Place, first: list[Block]) -> None:
        self.place = place
        self.first = first
        self.here = place.project
        self.env = place.environment()
        self.seconds = SECONDS_FULL if place.full else SECONDS

    def follow(self, section: Section) -> None:
        if self.place.full:
            subprocess.run(["python3", "-m", "venv", str(self.place.venv)], check=True)
            for block in self.first:
                if any(folder in block.text and section.needs(folder) for folder in PACKAGES):
                    self.install(block)
        else:
            self.place.lend()
        ports = {port: free_port() for port in section.ports}
        with ExitStack() as self.servers:
            for block in section.blocks:
                for written, free in ports.items():
                    block.text = re.sub(rf"\b{written}\b", str(free), block.text)
                    block.port = ports.get(block.port, block.port)
                try:
                    self.do(block)
                except (Failed, TimeoutError, subprocess.TimeoutExpired) as wrong:
                    raise Failed(f"line {block.line}: {wrong}") from wrong

    def do(self, block: Block) -> None:
        if block.verb == "install":
            self.install(block)
        elif block.verb == "commands":
            self.commands(block.text)
        elif block.verb == "run":
            self.run(["bash", "-ec", block.text], block.says)
        elif block.verb == "serve":
            needed = [word.partition("=")[2] for word in block.words if word.startswith("with=")]
            self.servers.enter_context(Serving(block.text, block.port, self.here, self.env, needed))
        elif block.verb == "file":
            file = self.here / block.file
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text, "utf-8")
            if "run" in block.words:
                self.run([RUNS[file.suffix], block.file], block.says)

    def install(self, block: Block) -> None:
        """Which folder a newcomer is in: the page says it in words, the mark for us."""
        crate = "cargo new" in block.text
        if not (self.place.full or crate):
            return
        beside = crate or "beside" in block.words
        where = self.place.around if beside else self.place.project if "here" in block.words else TOP
        for line in block.text.splitlines():
            own = line.startswith("npm ")
            at = self.place.project if own else where
            code, said = in_terminal(["bash", "-ec", f"{line}\npwd"], at, self.env, self.seconds)
            if code:
                raise Failed(f"{line!r} exits with {code}:\n{said}")
            where = where if own else Path(said.strip().splitlines()[-1])
        self.here = where if crate else self.here

    def run(self, command: list[str], says: str) -> None:
        code, said = in_terminal(command, self.here, self.env, self.seconds)
        if code or says not in re.sub(r"\x1b\[[0-9;]*m", "", said):
            raise Failed(f"{shlex.join(command)} exits with {code} and does not say {says!r}, but:\n{said}")

    def commands(self, lines: str) -> None:
        """A server that is run is asked something; of the others the options must be known."""
        for line in lines.splitlines():
            words = shlex.split(line, comments=True)
            code, said = in_terminal([*words[:2], "--help"], self.here, {**self.env, "COLUMNS": "200"}, self.seconds)
            unknown = [word for word in words[2:] if word.startswith("-") and word not in said]
            if code or unknown:
                raise Failed(f"{shlex.join(words[:2])} --help exits with {code} and does not know {unknown}:\n{said}")
            if "--port" in words:
                self.serve(words)

    def serve(self, words: list[str]) -> None:
        """On a port that is free here, until it answers; then the user presses Ctrl-C."""
        port = free_port()
        words[words.index("--port") + 1] = str(port)
        with Terminal(words, self.here, self.env) as terminal:
            until = time.monotonic() + STARTS
            while not answers(port):
                terminal.listen(0.05)
                if terminal.ended() or time.monotonic() > until:
                    raise Failed(f"{shlex.join(words)} does not serve, but says:\n{terminal.said}")
            terminal.press(b"\x03")
            code, said = terminal.rest(60)
            if "Traceback" in said:
                raise Failed(f"{shlex.join(words)} after Ctrl-C exits with {code} and says:\n{said}")


def installed(page: Path) -> list[Block]:
    """How a page says that our packages are installed."""
    sections = read(page)[0] if page.is_file() else []
    return [block for section in sections for block in section.blocks if block.verb == "install"]


def pages(given: argparse.Namespace) -> int:
    """How many sections fail."""
    failed = 0
    given.first = installed(given.top / FIRST)
    site = [str(page.relative_to(given.top)) for folder in FOLDERS for page in sorted((given.top / "docs" / folder).glob("*.md"))]
    for name in (*PAGES, *([FIRST] if site else []), *site):
        sections, faults = read(given.top / name)
        for fault in faults:
            print(f"    FAILED  {name}: {fault}")
        failed += len(faults)
        if name in PAGES and not any(section.runs for section in sections):
            failed += 1
            print(f"    FAILED  {name}: nothing of it is run")
        for section in sections:
            title = f"{name}, {section.title or 'its beginning'}"
            if section.runs and re.search(given.only, title):
                failed += not follows(section, title, given)
    return failed


def follows(section: Section, title: str, given: argparse.Namespace) -> bool:
    started = time.monotonic()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="newcomer-", ignore_cleanup_errors=True))
        try:
            place = Place(Path(folder).resolve(), given.node, given.libraries, given.full)
            Newcomer(place, given.first).follow(section)
        except Failed as wrong:
            print(f"    FAILED  {title}: {wrong}", flush=True)
            return False
        except NotHere as missing:
            print(f"    not run {title}: {missing}", flush=True)
            return True
    print(f"    ok      {title} ({time.monotonic() - started:.0f} s)", flush=True)
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--node", default="node", help="what runs JavaScript")
    parser.add_argument("--top", type=Path, default=TOP, help="the folder of the pages")
    parser.add_argument("--only", default="", metavar="REGEX", help="sections whose page or title match")
    parser.add_argument("--full", action="store_true", help="install from nothing")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="newcomer-") as folder:
        given.libraries = Path(folder) / "libraries.json"
        if not given.full:
            libraries(given.libraries)
        failed = pages(given)
    print(f"    {failed} FAILED" if failed else "    every page keeps what it promises")
    return 1 if failed else 0


if __name__ == "__main__":
    os.umask(0o022)
    sys.exit(main())
