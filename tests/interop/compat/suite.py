"""The tests of a package's source on `mcpbolt.compat`, beside a list of those known to fail.

Owns: fetching the source, running its tests folder by folder, as many folders at a time as there
are processors, or file by file where a folder comes to no end, and the comparison with the list.
Must not know: which package it is.
"""

import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parents[2] / "bindings-python" / "python"
RUN_SECONDS = 900
# Numbers the runs of pytest: each keeps its notes in files of its own.
NUMBERS = count()
# pytest's own exit codes for files in which tests passed, failed, or are none.
ENDED = (0, 1, 2, 5)


class Suite(NamedTuple):
    """The tests of one package."""

    # Its name on PyPI, and the file that pins its source by hash.
    name: str
    pin: Path
    # The list of what fails, with reasons.
    known: Path
    # The folders and files of the source that the tests need.
    wanted: tuple[str, ...]
    # The settings of pytest: a text of our own, or the source's own if there is none.
    settings: str = ""
    # What pytest is told beside the files.
    options: tuple[str, ...] = ()
    # The line of the official package that `mcpbolt.compat` stands in for.
    api: str = "1"
    # The files and folders of tests that are left out, as paths in the source.
    without: tuple[str, ...] = ()
    # The share of all tests, in percent, that may at most be known to fail.
    most: float = 100.0


class Known(NamedTuple):
    """An entry of the list: a test, or with a star at its end all that begin so."""

    text: str
    # Fails on some machines, on the official package too.
    may_pass: bool

    def matches(self, name: str) -> bool:
        return name.startswith(self.text[:-1]) if self.text.endswith("*") else name == self.text


class Outcome(NamedTuple):
    """The names of tests that failed, and of files that came to no end; how many ran."""

    failed: set[str]
    ran: int

    def __add__(self, other: "Outcome") -> "Outcome":  # type: ignore[override]
        return Outcome(self.failed | other.failed, self.ran + other.ran)


def known(suite: Suite) -> Iterator[Known]:
    may_pass, reason = False, ""
    for line in suite.known.read_text().splitlines():
        if line.startswith("## "):
            reason = line[3:]
            may_pass = reason.startswith("?")
        elif line and not line.startswith("#"):
            assert reason, f"{suite.known}: {line} has no reason"
            yield Known(line, may_pass)


def unpack(suite: Suite, folder: Path) -> Path:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps"]
    pip += ["--no-binary", suite.name, "--require-hashes", "-r", str(suite.pin), "--dest", str(folder)]
    subprocess.run(pip, check=True)
    (archive,) = folder.glob(f"{suite.name}-*.tar.gz")
    root = folder / archive.name.removesuffix(".tar.gz")
    with tarfile.open(archive) as packed:
        parts = [one for one in packed if one.name.removeprefix(f"{root.name}/").split("/")[0] in suite.wanted]
        packed.extractall(folder, parts, filter="data")
    if suite.settings:
        (folder / "pytest.ini").write_text(suite.settings)
    return root


def failures(suite: Suite, root: Path, files: list[Path]) -> Outcome:
    number = next(NUMBERS)
    failed, ran, log = (root.parent / f"{word}-{number:04}.txt" for word in ("failed", "ran", "log"))
    failed.write_text("")
    ran.write_text("")
    names = [file.relative_to(root).as_posix() for file in files]
    environment = {
        **{key: os.environ[key] for key in ("PATH", "HOME", "LANG", "TMPDIR") if key in os.environ},
        "PYTHONPATH": os.pathsep.join([str(PACKAGE), str(HERE)]),
        "PYTHONPYCACHEPREFIX": str(root.parent / "compiled"),
        "SUITE_FAILED": str(failed),
        "SUITE_RAN": str(ran),
    }
    command = [sys.executable, "-m", "mcpbolt.compat", "--api", suite.api, "--children"]
    command += ["-m", "pytest", "-p", "suite_plugin"]
    command += ["-p", "no:cacheprovider", "-p", "no:pretty", "-q", "--tb=short", "--rootdir", str(root)]
    command += ["--continue-on-collection-errors", *suite.options]
    if suite.settings:
        command += ["-c", str(root.parent / "pytest.ini")]
    with open(log, "w") as told:
        try:
            code = subprocess.run(
                [*command, *names],
                cwd=root,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=told,
                stderr=told,
                timeout=RUN_SECONDS,
            ).returncode
        except subprocess.TimeoutExpired:
            code = -1
    found = Outcome(set(failed.read_text().splitlines()), len(ran.read_text().splitlines()))
    if code in ENDED:
        return found
    # One that takes the process with it must not hide the others.
    if len(files) == 1:
        return found + Outcome(set(names), 0)
    return sum((failures(suite, root, [file]) for file in files), Outcome(set(), 0))


def main(suite: Suite, arguments: list[str]) -> int:
    words = [word for word in arguments if word != "--list"]
    found = Outcome(set(), 0)
    with tempfile.TemporaryDirectory() as folder:
        root = unpack(suite, Path(folder))
        folders: dict[Path, list[Path]] = {}
        for file in sorted((root / "tests").rglob("test_*.py")):
            name = file.relative_to(root).as_posix()
            if not name.startswith(suite.without) and (not words or any(word in name for word in words)):
                folders.setdefault(file.parent, []).append(file)
        # The longest first, so that none is left alone at the end.
        longest = sorted(folders.values(), key=len, reverse=True)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            found = sum(pool.map(lambda files: failures(suite, root, files), longest), found)
        if "--list" in arguments:
            print("\n".join(sorted(found.failed)))
            return 0
        return compare(suite, root, found, part=bool(words))


def compare(suite: Suite, root: Path, found: Outcome, part: bool) -> int:
    """Print what differs from the list; 1 if anything does."""
    failed, entries = found.failed, list(known(suite))
    new = sorted(name for name in failed if not any(entry.matches(name) for entry in entries))
    # Many of them have clocks of their own: on a busy machine each gets a second try.
    files = sorted({root / name.partition("::")[0] for name in new})
    again = sum((failures(suite, root, [file]) for file in files), Outcome(set(), 0)).failed
    new = [name for name in new if name in again]
    gone = [] if part else [
        entry.text for entry in entries if not entry.may_pass and not any(entry.matches(name) for name in failed)
    ]
    if new:
        for log in sorted(root.parent.glob("log-*.txt")):
            print(log.read_text())
    for name in new:
        print(f"fails and is not in {suite.known.name}: {name}")
    for name in gone:
        print(f"is in {suite.known.name} and fails no more: {name}")
    ours = [name for name in failed if not any(entry.may_pass and entry.matches(name) for entry in entries)]
    share = 100.0 * len(ours) / max(found.ran, 1)
    print(f"{suite.name}: {found.ran} tests ran, {share:.2f} % fail on mcpbolt alone")
    too_many = not part and share > suite.most
    if too_many:
        print(f"at most {suite.most} % may fail")
    return 1 if new or gone or too_many else 0
