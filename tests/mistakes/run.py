"""Users' mistakes, made by real programs in every language, and what is printed then.

    cargo xtask test mistakes [--only REGEX]
    MCPBOLT_BLESS=1 cargo xtask test mistakes      # writes what was printed

Each row of `rows.toml` is a program in each language. Owns: running them, comparing what
they print with `golden`, and the page docs/reference/mistakes.md. A row fails when its text
is another one, longer than 15 lines, or lacks the remedy; rows in `not-yet.txt` may lack
the remedy, and fail when they no longer do, so that the list shrinks.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import page
from peers import peers
from said import normal
from terminal import in_terminal

HERE = Path(__file__).resolve().parent
GOLDEN = HERE / "golden"
NOT_YET = HERE / "not-yet.txt"
LANGUAGES = ("python", "node", "rust")
LINES = 15
# Of one program, before something must be wrong with it.
SECONDS = 60
AT_ONCE = 3
# What would colour, shorten or lengthen texts.
OURS = ("PYTHON", "NODE_", "RUST_", "MCPBOLT_", "FASTMCP_", "CARGO", "FORCE_COLOR", "NO_COLOR", "CI", "COLUMNS", "VIRTUAL_ENV")
PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


@dataclass(frozen=True, eq=False)
class Case:
    """A row in one language."""

    row: dict[str, object]
    language: str

    @property
    def name(self) -> str:
        return f"{self.row['id']} {self.language}"

    @property
    def golden(self) -> Path:
        return GOLDEN / f"{self.row['id']}.{self.language}.txt"

    @property
    def remedy(self) -> str:
        own = self.row.get(self.language)
        return str(self.row["remedy"] if own is None else own)

    def command(self, given: argparse.Namespace, words: dict[str, str]) -> list[str]:
        program = {
            "python": [sys.executable, f"{self.row['id']}.py"],
            "node": [given.node, f"{self.row['id']}.mjs"],
            "rust": [str(Path(given.rust).resolve()), str(self.row["id"])],
        }[self.language]
        return [*program, *(str(word).format(**words) for word in self.row.get("arguments", ()))]  # type: ignore[union-attr]


def environment(given: argparse.Namespace) -> dict[str, str]:
    """A plain one: `python` and `node` are those that run the programs."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(OURS) and name.lower() not in PROXIES}
    places = [str(Path(sys.executable).parent)]
    if node := shutil.which(given.node):
        places.append(str(Path(node).parent))
    return {**kept, "PATH": os.pathsep.join([*places, kept.get("PATH", "")]), "TERM": "dumb", "LC_ALL": "C.UTF-8"}


def printed(case: Case, given: argparse.Namespace, words: dict[str, str]) -> str:
    """What the user sees, as it stands in a golden file."""
    command, env = case.command(given, words), environment(given)
    where = HERE / "programs" / case.language if case.language != "rust" else HERE
    try:
        if case.row.get("terminal"):
            code, text = in_terminal(command, where, env, SECONDS)
            return "\n".join([f"exit {code}", "terminal:", *normal(text), ""])
        ended = subprocess.run(
            command, cwd=where, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False
        )
    except (TimeoutError, subprocess.TimeoutExpired) as hangs:
        return f"does not end\n{hangs}\n"
    lines = [f"exit {ended.returncode}"]
    for stream, data in (("stdout:", ended.stdout), ("stderr:", ended.stderr)):
        if said := normal(data.decode("utf-8", "replace").replace(str(Path(given.rust).resolve()), "mistakes")):
            lines += [stream, *said]
    return "\n".join([*lines, ""])


def faults(case: Case, text: str) -> list[str]:
    """What is wrong with a text, whatever the golden file says."""
    said = page.lines_of(text)
    found = []
    if len(said) > LINES:
        found.append(f"{len(said)} lines, {LINES} at most")
    if not re.search(case.remedy, " ".join(said), re.IGNORECASE | re.DOTALL):
        found.append(f"nothing in it matches {case.remedy!r}")
    return found


def verdict(case: Case, text: str, waits: set[str]) -> list[str]:
    """Why a case fails."""
    found = faults(case, text)
    if case.name in waits:
        found = [] if found else ["it is good now: take it out of not-yet.txt"]
    held = case.golden.read_text("utf-8") if case.golden.is_file() else ""
    if held != text:
        diff = difflib.unified_diff(held.splitlines(), text.splitlines(), "golden", "printed", lineterm="", n=1)
        found.append("it says something else:\n        " + "\n        ".join(list(diff)[2:]))
    return found


def waiting() -> set[str]:
    lines = NOT_YET.read_text("utf-8").splitlines() if NOT_YET.is_file() else []
    return {line for line in lines if line and not line.startswith("#")}


def bless(texts: dict[Case, str], every: bool, admit: bool) -> None:
    """Writes what was printed. The list of what is not good yet only shrinks, unless told."""
    GOLDEN.mkdir(exist_ok=True)
    for case, text in texts.items():
        case.golden.write_text(text, "utf-8")
    wrong = {case.name for case, text in texts.items() if faults(case, text)}
    ran = {case.name for case in texts}
    kept = {name for name in waiting() if name in wrong or name not in ran} if not (every and admit) else wrong
    head = [line for line in (NOT_YET.read_text("utf-8").splitlines() if NOT_YET.is_file() else []) if line.startswith("#")]
    NOT_YET.write_text("\n".join([*head, *sorted(kept), ""]), "utf-8")
    if every:
        for stale in set(GOLDEN.iterdir()) - {case.golden for case in texts}:
            stale.unlink()


def cases(rows: list[dict[str, object]], only: str) -> list[Case]:
    every = [Case(row, language) for row in rows for language in LANGUAGES if row.get(language) is not False]
    return [case for case in every if re.search(only, case.name)]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rust", required=True, help="the program in Rust")
    parser.add_argument("--node", required=True, help="what runs JavaScript")
    parser.add_argument("--only", default="", metavar="REGEX", help="rows whose id or language match")
    parser.add_argument("--bless", action="store_true", help="write what was printed")
    parser.add_argument("--admit", action="store_true", help="with --bless: not-yet.txt may grow")
    return parser.parse_args()


def main() -> int:
    given, started = arguments(), time.monotonic()
    rows = tomllib.loads((HERE / "rows.toml").read_text("utf-8"))["row"]
    chosen = cases(rows, given.only)
    with peers() as words, ThreadPoolExecutor(AT_ONCE) as pool:
        texts = dict(zip(chosen, pool.map(lambda case: printed(case, given, words), chosen)))
    if given.bless:
        bless(texts, not given.only, given.admit)
    waits = waiting()
    failed = 0
    for case, text in texts.items():
        if found := verdict(case, text, waits):
            failed += 1
            print(f"    FAILED  {case.name}: " + "; ".join(found), flush=True)
    if not page.current(rows, given.bless):
        failed += 1
        print("    FAILED  docs/reference/mistakes.md is not what the golden files say")
    left = len(waits & {case.name for case in texts})
    print(f"    {len(texts)} texts, {failed} FAILED, {left} not good yet, in {time.monotonic() - started:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
