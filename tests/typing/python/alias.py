"""`import mcp` under the alias, as type checkers see it through the stubs of `mcpbolt.compat.stubs`.

Owns: which programs are tried under the official name, and what is asked of the stubs. Must not
know: what else is checked of the package.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parents[2] / "bindings-python" / "python"
SECONDS = 240
# Programs that need nothing beyond the names of the official package, for each release that the
# stubs can be written for: those of 1.x are programs of this package.
RELEASES: dict[tuple[str, ...], tuple[str, ...]] = {
    (): ("programs/fastmcp_server.py", "programs/lowlevel_server.py", "programs/models.py"),
    ("--api", "2"): ("programs_of_2/clients.py", "programs_of_2/servers.py"),
}
# Their bases are starlette's and httpx's, which verifytypes cannot see into.
FOREIGN = {
    "AuthenticatedUser",
    "BearerAuthBackend",
    "ClientCredentialsOAuthProvider",
    "EnterpriseManagedOAuthProvider",
    "IdentityAssertionOAuthProvider",
    "OAuthClientProvider",
    "PrivateKeyJWTOAuthProvider",
    "Provider",
    "PydanticJSONResponse",
    "RFC7523OAuthClientProvider",
    "WorkloadIdentityOAuthProvider",
    "authorization_context",
}
# The same of names that only one release has.
FOREIGN_OF_1 = {"RequestContext", "StreamableHTTPTransport"}
# Those whose method takes anyio's `TaskStatus`.
FOREIGN_OF_2 = {"DirectDispatcher", "DirectDispatcher.run", "Dispatcher", "Dispatcher.run"}


def faults(interpreter: str) -> list[str]:
    """What is wrong with the stubs, or with the programs on them."""
    found: list[str] = []
    for options, programs in RELEASES.items():
        with TemporaryDirectory() as folder:
            place = Path(folder)
            _stage(place, interpreter, options, programs)
            foreign = FOREIGN | (FOREIGN_OF_2 if options else FOREIGN_OF_1)
            found += [*_pyright(place, interpreter), *_mypy(place, interpreter), *_unknown(place, interpreter, foreign)]
    return found


def _run(folder: Path, *command: str) -> str:
    paths = os.pathsep.join((str(PACKAGE), str(folder / "typings")))
    environment = {**os.environ, "PYTHONPATH": paths, "MYPYPATH": str(folder / "typings"), "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, cwd=folder, env=environment)
    if done.returncode not in (0, 1) or not done.stdout:
        raise RuntimeError(f"{command[2]} ended with {done.returncode}: {done.stderr or done.stdout}")
    return done.stdout


def _stage(folder: Path, interpreter: str, options: tuple[str, ...], programs: tuple[str, ...]) -> None:
    """The stubs, and the programs with the official name in their imports."""
    _run(folder, interpreter, "-m", "mcpbolt.compat.stubs", *options, str(folder / "typings"))
    for name in programs:
        text = (HERE / name).read_text("utf-8")
        (folder / Path(name).name).write_text(re.sub(r"^((?:from|import) )mcpbolt\b", r"\1mcp", text, flags=re.MULTILINE), "utf-8")
    # The stubs have no source: what is installed under the name is a release of the official package, which has other modules.
    config = {"typeCheckingMode": "strict", "pythonVersion": "3.10", "include": ["*.py"], "reportMissingModuleSource": False}
    (folder / "pyrightconfig.json").write_text(json.dumps(config), "utf-8")


def _pyright(folder: Path, interpreter: str) -> list[str]:
    said = json.loads(_run(folder, sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", interpreter))
    if said["summary"]["filesAnalyzed"] == 0:
        raise RuntimeError("pyright looked at no program under the official name")
    rows = said["generalDiagnostics"]
    return [f"import mcp, {Path(row['file']).name}:{row['range']['start']['line'] + 1}: pyright: {row['message']}" for row in rows]


def _mypy(folder: Path, interpreter: str) -> list[str]:
    cache = str(HERE.parents[2] / ".cache" / "mypy-alias")
    options = ("--strict", "--python-version", "3.10", "--cache-dir", cache, "--python-executable", interpreter)
    files = sorted(path.name for path in folder.glob("*.py"))
    said = _run(folder, sys.executable, "-m", "mypy", "--output", "json", *options, *files)
    rows = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    return [f"import mcp, {row['file']}:{row['line']}: mypy: {row['message']}" for row in rows if row["severity"] == "error"]


def _unknown(folder: Path, interpreter: str, foreign: set[str]) -> list[str]:
    """Names under the official name whose type is not known, and foreign ones whose type is."""
    verify = ("--verifytypes", "mcp", "--ignoreexternal", "--outputjson", "--pythonpath", interpreter)
    report = json.loads(_run(folder, sys.executable, "-m", "pyright", *verify))["typeCompleteness"]
    known = report["exportedSymbolCounts"]["withKnownType"]
    if known < 900:
        raise RuntimeError(f"verifytypes found {known} names under the official name only")
    unknown = [row["name"] for row in report["symbols"] if row["isExported"] and not row["isTypeKnown"]]
    excused = {name: {entry for entry in foreign if name.endswith(f".{entry}")} for name in unknown}
    stale = foreign.difference(*excused.values())
    return [f"{name}: its type is not known" for name in unknown if not excused[name]] + [
        f"{name}: its type is known, and it is listed as foreign" for name in sorted(stale)
    ]
