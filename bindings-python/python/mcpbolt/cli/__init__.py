"""The command `mcpbolt`: looks at servers, calls, checks, records and installs them, and runs those
in Python files.
"""

from __future__ import annotations

import sys

__all__ = ["app", "main"]

_OWN = ("run", "dev", "install", "version", "limits")


def main(arguments: list[str] | None = None) -> int:
    """Run the command with these arguments, or with those of the process; returns the exit code.

    Args:
        arguments: The arguments of the command. Default: those of the process.
    """
    words = sys.argv[1:] if arguments is None else arguments
    if words[:1] == ["help"] and words[1:2] and words[1] in _OWN:
        words = [words[1], "--help"]
    if words[:1] and words[0] in _OWN:
        from .cli import main as run

        return run(words)
    from ._native import run as run_native

    if not words:
        run_native(["--help"])
        return 2
    return run_native(words)


def app() -> None:
    """Run the command and exit. The name is that of the official package."""
    raise SystemExit(main())
