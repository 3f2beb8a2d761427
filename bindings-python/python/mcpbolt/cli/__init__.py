"""The command `mcpbolt`: runs, shows and installs servers that are Python files."""

from __future__ import annotations

__all__ = ["app", "main"]


def main(arguments: list[str] | None = None) -> int:
    """Runs the `mcpbolt` command and returns its exit code."""
    from .cli import main as run

    return run(arguments)


def app() -> None:
    """The command, as the official package calls it."""
    raise SystemExit(main())
