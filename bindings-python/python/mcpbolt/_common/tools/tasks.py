"""Tools whose calls become tasks (`io.modelcontextprotocol/tasks`).

Owns: what a tool may say of that. Must not know: how a task runs; the engine does.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

TaskSupport = Literal["forbidden", "optional", "required"]

# How often clients should ask for a task, in seconds, unless the program sets it.
POLL_OPTION = "tasks.poll_interval"
POLL_SECONDS = 1.0


def checked_task(task: TaskSupport | None) -> TaskSupport | None:
    """Refuse what is not a kind of support.

    Raises:
        ValueError: It is none.
    """
    if task is not None and task not in get_args(TaskSupport):
        raise ValueError(f"task must be 'forbidden', 'optional' or 'required', not {task!r}")
    return task


def keeping(options: dict[str, Any] | None, stores: str | None) -> dict[str, Any] | None:
    """The options of a server that keeps its tasks in these stores."""
    return options if stores is None else {**(options or {}), "stores": stores}


def offer(options: dict[str, Any], task: TaskSupport | None) -> None:
    """Switch tasks on in a server's options, if a tool wants them."""
    if task in ("optional", "required"):
        options.setdefault(POLL_OPTION, POLL_SECONDS)
