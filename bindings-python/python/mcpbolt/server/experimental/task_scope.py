"""Ids of tasks that say which session a task belongs to.

Owns: the form of such an id, and who may use a task. An id of another form belongs to nobody:
whoever knows it may use the task, and nobody is listed it.
"""

from __future__ import annotations

import re
from uuid import uuid4

__all__ = [
    "new_session_scope",
    "scoped_task_id",
    "session_scope_of",
    "task_in_session_scope",
    "task_listable_in_session_scope",
]

_SCOPED = re.compile(r"([0-9a-f]{32}):[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def new_session_scope() -> str:
    """Make a scope for a session: 122 random bits that clients never see of each other."""
    return uuid4().hex


def scoped_task_id(session_scope: str) -> str:
    """Make the id of a new task of a session.

    Args:
        session_scope: The scope of the session.
    """
    return f"{session_scope}:{uuid4()}"


def session_scope_of(task_id: str) -> str | None:
    """The scope of the session that a task belongs to; `None` for one that belongs to nobody.

    Args:
        task_id: The id of the task.
    """
    found = _SCOPED.fullmatch(task_id)
    return found[1] if found else None


def task_in_session_scope(task_id: str, session_scope: str | None) -> bool:
    """Whether a session may use a task: its own, and those that belong to nobody.

    Args:
        task_id: The id of the task.
        session_scope: The scope of the session; `None` if it has none.
    """
    return session_scope_of(task_id) in (None, session_scope)


def task_listable_in_session_scope(task_id: str, session_scope: str | None) -> bool:
    """Whether a session is listed a task: only its own.

    Args:
        task_id: The id of the task.
        session_scope: The scope of the session; `None` if it has none.
    """
    return session_scope is not None and session_scope_of(task_id) == session_scope
