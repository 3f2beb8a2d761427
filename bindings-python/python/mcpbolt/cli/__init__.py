"""The command `mcpbolt`: runs, inspects and installs servers in Python files."""

from __future__ import annotations

__all__ = ["app", "main"]


def main(arguments: list[str] | None = None) -> int:
    """Run the command with these arguments, or with those of the process; returns the exit code.

    Args:
        arguments: The arguments of the command. Default: those of the process.
    """
    from .cli import main as run

    return run(arguments)


def app() -> None:
    """Run the command and exit. The name is that of the official package."""
    raise SystemExit(main())
