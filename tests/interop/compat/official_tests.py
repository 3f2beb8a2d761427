"""The official package's own tests, 1.30.0 or 2.3.0, on `mcpbolt.compat`.

Downloads the package's source (`official-sdist.txt`, `official-sdist-2.txt`), leaves its code
behind, and runs its tests folder by folder; file by file where a folder comes to no end. Ends
with 0 if exactly those fail that `official-tests-known.txt` or `official-tests-known-2.txt`
names. The interpreter has what `requirements-official-tests.txt` lists, with a 2 for 2.3.0,
and finds mcpbolt.

    official_tests.py [--api 2] [--list] [WORD ...]

`--list` prints what fails and compares nothing; with words only files are run whose path
holds one of them.
"""

import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parents[2] / "bindings-python" / "python"
RUN_SECONDS, TEST_SECONDS = 900, 30
# As the official projects run them: what is deprecated fails a test.
SETTINGS_1 = """\
[pytest]
xfail_strict = true
filterwarnings =
    error
    ignore::DeprecationWarning:websockets
    ignore:websockets.server.WebSocketServerProtocol is deprecated:DeprecationWarning
    ignore:Returning str or bytes.*:DeprecationWarning:mcp.server.lowlevel
"""
SETTINGS_2 = """\
[pytest]
xfail_strict = true
pythonpath = scripts/docs
markers =
    requirement(id): the entry in tests/interaction/_requirements.py that a test is for
filterwarnings =
    error
    ignore:.*is deprecated as of 2026-07-28 .*:mcp.MCPDeprecationWarning
    ignore:Client-to-server progress is deprecated as of 2026-07-28.*:mcp.MCPDeprecationWarning
    ignore:ping is removed as of 2026-07-28.*:mcp.MCPDeprecationWarning
    ignore:'encoding' argument not specified:EncodingWarning:pytest_examples
"""
# pytest's own exit codes for files in which tests passed, failed, or are none.
ENDED = (0, 1, 2, 5)


class Line(NamedTuple):
    """One line of the official package."""

    api: str
    sdist: Path
    known: Path
    settings: str
    # What of the package the tests need beside themselves.
    wanted: tuple[str, ...]
    # Tests of what other work is to bring.
    aside: tuple[str, ...] = ()
    # The folders that are held: all, or those that reach the package through its public names.
    held: tuple[str, ...] = ("tests/",)


LINES = {
    "1": Line(
        "1",
        HERE / "official-sdist.txt",
        HERE / "official-tests-known.txt",
        SETTINGS_1,
        ("tests", "examples", "docs", "README.md"),
    ),
    "2": Line(
        "2",
        HERE / "official-sdist-2.txt",
        HERE / "official-tests-known-2.txt",
        SETTINGS_2,
        ("tests", "examples", "docs", "docs_src", "schema", "scripts", "README.md", "pyproject.toml"),
        (
            "tests/docs_src/test_apps.py",
            "tests/docs_src/test_authorization.py",
            "tests/docs_src/test_identity_assertion.py",
            "tests/docs_src/test_oauth_clients.py",
            "tests/interaction/auth/",
        ),
        ("tests/docs_src/", "tests/interaction/"),
    ),
}


class Known(NamedTuple):
    """An entry of the list: a test, or with a star at its end all that begin so."""

    text: str
    # Fails on some machines, on the official package too.
    may_pass: bool

    def matches(self, name: str) -> bool:
        return name.startswith(self.text[:-1]) if self.text.endswith("*") else name == self.text


def known(file: Path) -> Iterator[Known]:
    may_pass, reason = False, ""
    for line in file.read_text().splitlines():
        if line.startswith("## "):
            reason = line[3:]
            may_pass = reason.startswith("?")
        elif line and not line.startswith("#"):
            assert reason, f"{file}: {line} has no reason"
            yield Known(line, may_pass)


def unpack(line: Line, folder: Path) -> Path:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps"]
    pip += ["--no-binary", "mcp", "--require-hashes", "-r", str(line.sdist), "--dest", str(folder)]
    subprocess.run(pip, check=True)
    (archive,) = folder.glob("mcp-*.tar.gz")
    root = folder / archive.name.removesuffix(".tar.gz")
    with tarfile.open(archive) as packed:
        parts = [one for one in packed if one.name.removeprefix(f"{root.name}/").split("/")[0] in line.wanted]
        packed.extractall(folder, parts, filter="data")
    (folder / "pytest.ini").write_text(line.settings)
    return root


def failures(line: Line, root: Path, files: list[Path]) -> set[str]:
    """The names of tests that fail, and of files that did not come to an end."""
    failed = root.parent / "failed"
    failed.write_text("")
    names = [file.relative_to(root).as_posix() for file in files]
    environment = {
        **{key: os.environ[key] for key in ("PATH", "HOME", "LANG", "TMPDIR") if key in os.environ},
        "PYTHONPATH": os.pathsep.join([str(PACKAGE), str(HERE)]),
        "PYTHONPYCACHEPREFIX": str(root.parent / "compiled"),
        "OFFICIAL_TESTS_FAILED": str(failed),
    }
    command = [sys.executable, "-m", "mcpbolt.compat", "--api", line.api, "--children", "-m", "pytest", "-p", "official_plugin"]
    command += ["-p", "no:cacheprovider", "-p", "no:pretty", "-q", "--tb=native", "-c", str(root.parent / "pytest.ini")]
    command += ["--rootdir", str(root), "--timeout", str(TEST_SECONDS), "--continue-on-collection-errors", *names]
    with open(root.parent / "log.txt", "a") as log:
        try:
            code = subprocess.run(
                command,
                cwd=root,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                timeout=RUN_SECONDS,
            ).returncode
        except subprocess.TimeoutExpired:
            code = -1
    found = set(failed.read_text().splitlines())
    if code in ENDED:
        return found
    # One that takes the process with it must not hide the others.
    return {*found, *names} if len(files) == 1 else set[str]().union(*(failures(line, root, [file]) for file in files))


def main(arguments: list[str]) -> int:
    line = LINES["2" if "--api" in arguments and "2" in arguments else "1"]
    words = [word for word in arguments if word not in ("--list", "--api", "1", "2")]
    failed: set[str] = set()
    with tempfile.TemporaryDirectory() as folder:
        root = unpack(line, Path(folder))
        folders: dict[Path, list[Path]] = {}
        for file in sorted((root / "tests").rglob("test_*.py")):
            name = file.relative_to(root).as_posix()
            wanted = name.startswith(line.held) and not name.startswith(line.aside)
            if wanted and (not words or any(word in name for word in words)):
                folders.setdefault(file.parent, []).append(file)
        for files in folders.values():
            failed |= failures(line, root, files)
        if "--list" in arguments:
            print("\n".join(sorted(failed)))
            return 0
        entries = list(known(line.known))
        new = sorted(name for name in failed if not any(entry.matches(name) for entry in entries))
        # Many of them have clocks of their own: on a busy machine each gets a second try.
        files = sorted({root / name.partition("::")[0] for name in new})
        again = set[str]().union(*(failures(line, root, [file]) for file in files))
        new = [name for name in new if name in again]
        gone = [] if words else [
            entry.text
            for entry in entries
            if not entry.may_pass and not any(entry.matches(name) for name in failed)
        ]
        if new:
            print((root.parent / "log.txt").read_text())
        for name in new:
            print(f"fails and is not in {line.known.name}: {name}")
        for name in gone:
            print(f"is in {line.known.name} and fails no more: {name}")
    return 1 if new or gone else 0


sys.exit(main(sys.argv[1:]))
