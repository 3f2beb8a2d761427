"""Paths that come from others: which would leave the folder they are meant for.

Owns: the questions to ask of text that becomes a path, and the join that cannot be
escaped. Must not know: where the text comes from.

Example:
    ```python
    @server.resource("file://docs/{+path}")
    def document(path: str) -> str:
        return safe_join("/srv/docs", path).read_text()
    ```
"""

from __future__ import annotations

from pathlib import Path

__all__ = ["PathEscapeError", "contains_path_traversal", "is_absolute_path", "safe_join"]

_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")


class PathEscapeError(ValueError):
    """A path would be outside of the folder it was joined onto."""


def contains_path_traversal(value: str) -> bool:
    """Whether a relative path goes above where it begins at any point: `a/../b` does not,
    `a/../../b` does. A backslash counts as a slash.

    It looks at the text only: symlinks and what systems make of names are for `safe_join`.
    """
    depth = 0
    for part in value.replace("\\", "/").split("/"):
        depth += -1 if part == ".." else part not in ("", ".")
        if depth < 0:
            return True
    return False


def is_absolute_path(value: str) -> bool:
    r"""Whether text is an absolute path on some system: `/a`, `\a`, `\\host\share`, `C:\a`.

    `C:a` counts too, for joined onto a folder it may leave it; so does every text that
    begins with one letter and a colon.
    """
    return value.startswith(("/", "\\")) or (value[1:2] == ":" and value[0] in _LETTERS)


def safe_join(base: str | Path, *parts: str) -> Path:
    """A path inside a folder, with symlinks followed.

    What is a folder now may be a symlink a moment later: where others can write to the
    tree, open with `O_NOFOLLOW` too.

    Args:
        base: The folder.
        parts: What to join onto it.

    Raises:
        PathEscapeError: A part is absolute or has a null byte, or the path is outside.
    """
    folder = Path(base).resolve()
    for part in parts:
        if "\0" in part:
            raise PathEscapeError(f"Path component contains a null byte; refusing to join onto {folder}")
        if is_absolute_path(part):
            raise PathEscapeError(f"Path component {part!r} is absolute; refusing to join onto {folder}")
    path = folder.joinpath(*parts).resolve()
    if not path.is_relative_to(folder):
        raise PathEscapeError(f"Path {path} escapes base {folder}")
    return path
