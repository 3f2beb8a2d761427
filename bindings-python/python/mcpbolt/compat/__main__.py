"""`python -m mcpbolt.compat [--api 1|2] [--fixes] [--children] -m MODULE | -c CODE | SCRIPT [ARGUMENT ...]`."""

from __future__ import annotations

import os
import runpy
import sys
from pkgutil import get_importer
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

from . import VARIABLE, install

USAGE = """\
usage: python -m mcpbolt.compat [--api 1|2] [--fixes] [--children] (-m MODULE | -c CODE | SCRIPT) [ARGUMENT ...]

Runs a program written for the official package, mcp 1.x or 2.x, on mcpbolt.

  -m MODULE    a module or package, as python -m runs it
  -c CODE      the code itself
  SCRIPT       a file, or a folder or archive with a __main__.py
  --api        which line it is written for: 1, unless MCPBOLT_COMPAT=2
  --fixes      keep defects of the official package mended; MCPBOLT_COMPAT=fixes says the same
  --children   do so in Python processes the program starts; MCPBOLT_COMPAT=1 says the same
"""


def main(arguments: list[str]) -> None:
    """Install the alias, then run the program as `__main__`."""
    environment = os.environ.get(VARIABLE, "")
    fixes, children = environment == "fixes", environment in ("1", "2", "fixes")
    api = 2 if environment == "2" else 1
    rest: list[str] = list(arguments)
    while rest and rest[0] in ("--fixes", "--children", "--api"):
        option = rest.pop(0)
        if option == "--api":
            line = rest.pop(0) if rest else ""
            if line not in ("1", "2"):
                _refuse("--api needs 1 or 2")
            api = int(line)
            continue
        fixes, children = fixes or option == "--fixes", children or option == "--children"
    if not rest or rest[0] in ("-h", "--help"):
        print(USAGE, end="", file=sys.stdout if rest else sys.stderr)
        raise SystemExit(0 if rest else 2)
    kind = rest.pop(0)
    if kind in ("-m", "-c"):
        if not rest:
            _refuse(f"{kind} needs an argument")
        what = rest.pop(0)
    elif kind.startswith("-"):
        _refuse(f"unknown option {kind}")
    else:
        kind, what = "", kind
    install(api=api, fixes=fixes, children=children)
    _run(kind, what, rest)


def _refuse(why: str) -> NoReturn:
    print(f"{USAGE}\n{why}", file=sys.stderr)
    raise SystemExit(2)


def _run(kind: str, what: str, rest: list[str]) -> None:
    if kind == "-m":
        sys.argv[:] = [what, *rest]
        runpy.run_module(what, run_name="__main__", alter_sys=True)
    elif kind == "-c":
        sys.argv[:] = ["-c", *rest]
        _run_code(what, "<string>")
    else:
        sys.argv[:] = [what, *rest]
        # As with `python SCRIPT`, its folder comes first in place of the working directory.
        path = os.path.abspath(what)
        sys.path[0] = os.path.dirname(path)
        if get_importer(what) is not None or what.endswith(".pyc"):
            runpy.run_path(what, run_name="__main__")
        else:
            _run_script(path)


def _run_script(path: str) -> None:
    """Run a file of source. `runpy` would make `__file__` and `sys.argv[0]` the same path, but as with
    `python SCRIPT`, `__file__` is absolute and stays right when the program changes its folder.
    """
    from importlib.machinery import SourceFileLoader
    from io import open_code

    with open_code(path) as file:
        source = file.read()
    _run_code(source, path, __file__=path, __cached__=None, __loader__=SourceFileLoader("__main__", path))


def _run_code(source: str | bytes, name: str, **members: Any) -> None:
    """Run code in a new `__main__` with these members."""
    module = ModuleType("__main__")
    module.__dict__.update(members)
    sys.modules["__main__"] = module
    # Without the `__future__` of this module.
    exec(compile(source, name, "exec", dont_inherit=True), module.__dict__)


if __name__ == "__main__":
    main(sys.argv[1:])
