"""Runs at the start of a Python process whose parent passes the alias on to its children.

Python finds it through `PYTHONPATH`, before the `sitecustomize` that an installation may have;
that one is run afterwards.
"""

import importlib
import os
import sys


def _install() -> None:
    wanted = os.environ.get("MCPBOLT_COMPAT", "")
    if wanted not in ("1", "2", "fixes"):
        return
    try:
        from mcpbolt import compat
    except ImportError as error:
        print(f"MCPBOLT_COMPAT is set, but {sys.executable} cannot import mcpbolt: {error}", file=sys.stderr)
        return
    compat.install(api=2 if wanted == "2" else 1, fixes=wanted == "fixes", children=True)


def _go_on() -> None:
    here = os.path.dirname(os.path.abspath(__file__))
    before = sys.path[:]
    sys.path[:] = [path for path in before if os.path.abspath(path) != here]
    mine = sys.modules.pop("sitecustomize", None)
    try:
        importlib.import_module("sitecustomize")
    except ImportError as error:
        if error.name != "sitecustomize":
            raise
        if mine is not None:
            sys.modules["sitecustomize"] = mine


_install()
_go_on()
