"""Programs in which the official package's name means this package."""

from __future__ import annotations

import os
import subprocess
import sys

from bounds import LIMIT


def python(*arguments: str, fails: bool = False, **variables: str) -> str:
    """What an interpreter printed; its standard error where it is to fail."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MCPBOLT_COMPAT")}
    done = subprocess.run(
        [sys.executable, "-W", "error", *arguments],
        capture_output=True,
        text=True,
        timeout=LIMIT,
        env={**kept, **variables},
    )
    assert (done.returncode != 0) == fails, done.stderr
    return done.stderr if fails else done.stdout.strip()


def compat(code: str, *options: str, **variables: str) -> str:
    """The same for a program run with the alias."""
    return python("-m", "mcpbolt.compat", *options, "-c", code, **variables)
