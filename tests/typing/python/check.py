"""Type checks of the Python package: `check.py INTERPRETER`, run by `cargo xtask lint typing`.

The package and user-shaped programs under pyright and mypy, both strict; every public
name with a known type (`pyright --verifytypes`); the same of `import mcp` under the alias
(`alias.py`); and names that only checkers have, under ruff. `programs/mistakes.py` holds
what the first two must find, line by line, and `LATE` what the last must, so that a checker
that finds nothing fails here. INTERPRETER has what the package depends on; the one that runs
this has the checkers.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import alias

HERE = Path(__file__).resolve().parent
BINDING = HERE.parents[2] / "bindings-python"
PROGRAMS = HERE / "programs"
MISTAKES = PROGRAMS / "mistakes.py"
SECONDS = 240
# Their bases are starlette's and httpx's, or their arguments anyio's, which verifytypes cannot see
# into, though pyright does otherwise. A name that is not reported any more has to leave this list.
FOREIGN = {
    "mcpbolt.client.auth.extensions.client_credentials.ClientCredentialsOAuthProvider",
    "mcpbolt.client.auth.extensions.client_credentials.PrivateKeyJWTOAuthProvider",
    "mcpbolt.client.auth.extensions.client_credentials.RFC7523OAuthClientProvider",
    "mcpbolt.client.auth.extensions.enterprise_managed.EnterpriseManagedOAuthProvider",
    "mcpbolt.client.auth.extensions.enterprise_managed.WorkloadIdentityOAuthProvider",
    "mcpbolt.client.auth.extensions.identity_assertion.IdentityAssertionOAuthProvider",
    "mcpbolt.client.auth.oauth2.OAuthClientProvider",
    "mcpbolt.client.auth.oauth2.Provider",
    "mcpbolt.server.auth.json_response.PydanticJSONResponse",
    "mcpbolt.server.auth.middleware.bearer_auth.AuthenticatedUser",
    "mcpbolt.server.auth.middleware.bearer_auth.BearerAuthBackend",
    "mcpbolt.server.auth.middleware.bearer_auth.authorization_context",
    "mcpbolt.v2.shared.direct_dispatcher.DirectDispatcher.run",
    "mcpbolt.v2.shared.dispatcher.Dispatcher.run",
}
# What neither pyright nor mypy minds: names that are not there when the code runs.
RULES = "F811,F821,F841,TC004,B023,PLE"
LATE = """
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import json
print(json.dumps(1))
"""


class Finding(NamedTuple):
    """What a checker says about a line, counted from one."""

    path: Path
    line: int
    words: str


def run(*command: str, given: str | None = None) -> str:
    """Its output for a standard input; the checkers exit with 1 when they find something."""
    environment = {**os.environ, "PYTHONPATH": str(BINDING / "python"), "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}
    done = subprocess.run(
        [sys.executable, "-m", *command],
        capture_output=True,
        input=given,
        text=True,
        timeout=SECONDS,
        cwd=BINDING,
        env=environment,
    )
    if done.returncode not in (0, 1) or not done.stdout:
        raise RuntimeError(f"{command[0]} ended with {done.returncode}: {done.stderr or done.stdout}")
    return done.stdout


def pyright(interpreter: str) -> list[Finding]:
    """The package and the programs, as `pyproject.toml` says."""
    said = json.loads(run("pyright", "--outputjson", "--pythonpath", interpreter))
    if said["summary"]["filesAnalyzed"] < 100:
        raise RuntimeError(f"pyright looked at {said['summary']['filesAnalyzed']} files only")
    return [
        Finding(Path(row["file"]).resolve(), row["range"]["start"]["line"] + 1, f"pyright: {row['message']}")
        for row in said["generalDiagnostics"]
    ]


def mypy(interpreter: str) -> list[Finding]:
    """The same under mypy."""
    files = [str(path) for path in (BINDING / "python" / "mcpbolt", BINDING / "wheel.py", HERE / "check.py", PROGRAMS)]
    cache = ["--cache-dir", str(HERE.parents[2] / ".cache" / "mypy")]
    said = run("mypy", "--output", "json", "--python-executable", interpreter, *cache, *files)
    rows: list[dict[str, Any]] = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    return [
        Finding((BINDING / row["file"]).resolve(), row["line"], f"mypy: {row['message']}")
        for row in rows
        if row["severity"] == "error"
    ]


def unknown_types(interpreter: str) -> list[str]:
    """Public names whose type another checker would have to guess."""
    said = json.loads(
        run("pyright", "--verifytypes", "mcpbolt", "--ignoreexternal", "--outputjson", "--pythonpath", interpreter)
    )
    report = said["typeCompleteness"]
    known = report["exportedSymbolCounts"]["withKnownType"]
    if known < 1000:
        raise RuntimeError(f"verifytypes found {known} names only")
    unknown = [symbol for symbol in report["symbols"] if not symbol["isTypeKnown"] and symbol["isExported"]]
    stale = FOREIGN - {symbol["name"] for symbol in unknown}
    return [f"{name}: its type is known, and it is listed as foreign" for name in sorted(stale)] + [
        f"{symbol['name']}: {said['message']}"
        for symbol in unknown
        if symbol["name"] not in FOREIGN
        for said in symbol["diagnostics"]
    ]


def late_names() -> list[str]:
    """Names that are used when the code runs, and are imported or made only for checkers or nowhere."""
    ruff = ("ruff", "check", "--isolated", "--no-cache", "--target-version", "py314", "--select", RULES)
    output = ("--output-format", "json")
    if not json.loads(run(*ruff, *output, "-", given=LATE)):
        raise RuntimeError("ruff does not find a name that is imported for checkers only")
    files = [str(path) for path in (BINDING / "python", BINDING / "wheel.py", BINDING.parent / "examples" / "python")]
    return [
        f"{row['filename']}:{row['location']['row']}: ruff: {row['message']}"
        for row in json.loads(run(*ruff, *output, *files))
    ]


def faults(checker: str, found: list[Finding]) -> list[str]:
    """Findings that should not be there, and mistakes that were not found."""
    lines = MISTAKES.read_text("utf-8").splitlines()
    expected = {number for number, line in enumerate(lines, 1) if line.endswith("# wrong")}
    missed = expected - {finding.line for finding in found if finding.path == MISTAKES}
    wrong = [
        f"{path.relative_to(HERE.parents[2])}:{line}: {words}"
        for path, line, words in found
        if path != MISTAKES or line not in expected
    ]
    if len(expected) < 20:
        wrong.append(f"{MISTAKES.name}: only {len(expected)} lines are marked")
    return wrong + [f"{MISTAKES.name}:{line}: {checker} does not find this mistake" for line in sorted(missed)]


def main(interpreter: str) -> int:
    """Run all five, two at a time, and print what is wrong."""
    checks: list[Callable[[], list[str]]] = [
        lambda: faults("pyright", pyright(interpreter)),
        lambda: faults("mypy", mypy(interpreter)),
        lambda: unknown_types(interpreter),
        lambda: alias.faults(interpreter),
        late_names,
    ]
    with ThreadPoolExecutor(2) as pool:
        running = [pool.submit(check) for check in checks]
        wrong = [line for check in running for line in check.result()]
    for line in wrong:
        print(f"    {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
