"""Builds what users install, looks inside, and uses it as they do.

Run by `cargo xtask test python --full`, with an interpreter that has maturin. A release
build takes minutes; `--wheel FILE` and `--sdist FILE` look at files that are there.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
# The aim is 7,500,000; docs/dependencies.md says what weighs how much.
MAX_BYTES = 10_700_000
# Where the benchmark builds too, so that what both need is compiled once.
RELEASE = ["build", "--release", "--locked", "--compression-level", "9", "--target-dir"]
# A twentieth smaller; only the last step takes longer, nothing else is built again.
SMALL = ["--", "-C", "lto=fat"]
TAG = "-cp310-abi3-"
INSIDE = ["mcpbolt/__init__.py", "mcpbolt/py.typed", "mcpbolt/_mcpbolt.pyi", "mcpbolt/_mcpbolt.abi3.so"]
LICENSES = ["LICENSE-APACHE", "LICENSE-MIT"]
# What the extension is built from: the workspace and its crates, and nothing of ours that is not needed.
SOURCES = ["Cargo.lock", "Cargo.toml", "cli/src/lib.rs", "core/Cargo.toml", "core/src/lib.rs", "core/proto/src/lib.rs", "inspector/src/lib.rs", "page/dist/page.js", "pyproject.toml"]
# A module may be called `target`; beside a `src` that is where things are built.
STRANGERS = re.compile(r"(^|/)(xtask|\.cache|(?<!src/)target|node_modules|__pycache__|tests/bench)/|\.(so|pyc)$")


class Wrong(Exception):
    """What is wrong with a file."""


def demand(held: bool, words: str) -> None:
    """Stop with words, unless it holds."""
    if not held:
        raise Wrong(words)


def run(
    command: list[str], cwd: Path = ROOT, env: dict[str, str] | None = None, timeout: float = 120
) -> str:
    """A command's output.

    Raises:
        Wrong: It failed; with all it said.
    """
    done = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=cwd,
        env=env,
        timeout=timeout,
    )
    demand(done.returncode == 0, f"{' '.join(command)} failed:\n{done.stdout}")
    return done.stdout


def by_profile() -> dict[str, str]:
    """The environment that has the compiler build by what `cargo xtask bench profile` counted, if it did."""
    found = next((ROOT / "target" / "profile").glob("*.profdata"), None)
    return dict(os.environ) if found is None else {**os.environ, "RUSTFLAGS": f"-Cprofile-use={found}"}


def build(verb: list[str], out: Path, ending: str, more: Sequence[str] = ()) -> Path:
    """What maturin makes."""
    command = [sys.executable, "-m", "maturin", *verb, "--out", str(out)]
    run([*command, "--manifest-path", str(HERE / "Cargo.toml"), *more], env=by_profile(), timeout=3600)
    found = list(out.glob(f"*{ending}"))
    demand(len(found) == 1, f"one {ending} was to be made, not {len(found)}")
    return found[0]


def look_at_wheel(wheel: Path) -> None:
    """Size, tags, contents."""
    size = wheel.stat().st_size
    print(f"    {wheel.name}: {size / 1e6:.2f} MB")
    demand(size < MAX_BYTES, f"the wheel has {size} bytes, at most {MAX_BYTES} are allowed")
    demand(TAG in wheel.name, f"{wheel.name} has not the tag {TAG}")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        facts = next(name for name in names if name.endswith(".dist-info/METADATA"))
        metadata = archive.read(facts).decode()
        extension = archive.read("mcpbolt/_mcpbolt.abi3.so")
    for name in INSIDE:
        demand(name in names, f"the wheel lacks {name}")
    for name in LICENSES:
        demand(any(found.endswith(f"/{name}") for found in names), f"the wheel lacks {name}")
    ours = {str(path.relative_to(HERE / "python")) for path in (HERE / "python").rglob("*.py")}
    demand(ours <= set(names), f"the wheel lacks {sorted(ours - set(names))[:3]}")
    strangers = [name for name in names if not name.startswith(("mcpbolt/", "mcpbolt-"))]
    demand(not strangers, f"the wheel has {strangers[:3]}")
    for line in ("Requires-Python: >=3.10", "Requires-Dist: anyio", "License-Expression: MIT OR Apache-2.0"):
        demand(line in metadata, f"the metadata lack {line!r}")
    demand(str(ROOT).encode() not in extension, "the extension names a folder of the machine that built it")


def empty_path(folder: Path) -> dict[str, str]:
    """An environment without a compiler, a cargo, or anything of the checkout."""
    kept = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_", "HTTP"))}
    return {**kept, "HOME": str(folder), "PATH": str(folder / "venv" / "bin")}


def programs() -> Iterator[tuple[str, str]]:
    """The server and the client of the README."""
    code = re.findall(r"^```python\n(.*?)^```$", (HERE / "README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)
    demand(len(code) == 2, "the README has a server and a client")
    yield from zip(("server.py", "client.py"), code)


def use(wheel: Path, folder: Path) -> None:
    """Install it into an empty environment and run the programs of the README."""
    run([sys.executable, "-m", "venv", str(folder / "venv")])
    python = str(folder / "venv" / "bin" / "python")
    environment = empty_path(folder)
    command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"]
    run([*command, str(wheel)], env=environment, cwd=folder, timeout=600)
    for name, code in programs():
        (folder / name).write_text(code)
    said = run([python, "client.py"], env=environment, cwd=folder, timeout=60)
    demand(said == "{'result': 3}\n", f"the programs of the README said {said!r}")
    # The command is beside the interpreter, and in it.
    for command in ([str(folder / "venv" / "bin" / "mcpbolt")], [python, "-m", "mcpbolt"]):
        said = run([*command, "call", "--json", "server.py", "add", "a=1", "b=2"], env=environment, cwd=folder, timeout=60)
        demand(json.loads(said)["structuredContent"] == {"result": 3}, f"the command said {said!r}")
    size = run([python, "-c", "import mcpbolt._mcpbolt as m, os; print(os.path.getsize(m.__file__))"], env=environment)
    print(f"    installed without a compiler, served and called; the extension has {int(size) / 1e6:.1f} MB")


def look_at_sdist(sdist: Path, folder: Path) -> None:
    """Whether the extension can be built from it."""
    print(f"    {sdist.name}: {sdist.stat().st_size / 1e6:.2f} MB")
    with tarfile.open(sdist) as archive:
        names = [name.split("/", 1)[1] for name in archive.getnames() if "/" in name]
        archive.extractall(folder, filter="data")
    for name in SOURCES + LICENSES:
        demand(any(found == name or found.endswith(f"/{name}") for found in names), f"the archive lacks {name}")
    strangers = [name for name in names if STRANGERS.search(name)]
    demand(not strangers, f"the archive has {strangers[:3]}")
    manifest = next(folder.glob("*/bindings-python/Cargo.toml"))
    run(["cargo", "tree", "--quiet", "--offline", "--edges", "normal", "--manifest-path", str(manifest)])


def check(given: argparse.Namespace, folder: Path) -> None:
    """Both files, made here unless they were given."""
    source = (HERE / "src" / "lib.rs").read_text("utf-8")
    demand("#[pymodule(gil_used = false)]" in source, "src/lib.rs does not say gil_used = false")
    target = str(ROOT / "target" / "bench")
    wheel = given.wheel or build([*RELEASE, target], folder / "wheel", ".whl", SMALL)
    look_at_wheel(wheel)
    use(wheel.resolve(), folder)
    look_at_sdist(given.sdist or build(["sdist"], folder / "sdist", ".tar.gz"), folder / "unpacked")


def main() -> int:
    """The verdict."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wheel", type=Path)
    parser.add_argument("--sdist", type=Path)
    with tempfile.TemporaryDirectory() as folder:
        try:
            check(parser.parse_args(), Path(folder))
        except Wrong as wrong:
            print(f"    {wrong}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
