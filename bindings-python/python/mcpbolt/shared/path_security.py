"""Checks of untrusted paths, so that they stay in the folder they are meant for.

Owns: checks of text that becomes a path, and joining paths without escaping a folder. Must not
know: where the text comes from.

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
    """A path would be outside of the folder that it was joined to."""


def contains_path_traversal(value: str) -> bool:
    """Whether a relative path goes above its starting point anywhere: `a/../b` does not,
    `a/../../b` does. Backslashes count as slashes.

    Only the text is checked. `safe_join` also handles symlinks and what file systems make of
    names.

    Args:
        value: The path.
    """
    depth = 0
    for part in value.replace("\\", "/").split("/"):
        depth += -1 if part == ".." else part not in ("", ".")
        if depth < 0:
            return True
    return False


def is_absolute_path(value: str) -> bool:
    r"""Whether text is an absolute path on any operating system: `/a`, `\a`, `\\host\share`,
    `C:\a`.

    `C:a` counts too, because joining it may leave a folder. So does every text that begins
    with one letter and a colon.

    Args:
        value: The text.
    """
    return value.startswith(("/", "\\")) or (value[1:2] == ":" and value[0] in _LETTERS)


def safe_join(base: str | Path, *parts: str) -> Path:
    """Join paths to a folder and follow symlinks; the result is inside the folder.

    A folder may be replaced by a symlink after the check. If others can write to the tree,
    open files with `O_NOFOLLOW` too.

    Args:
        base: The folder.
        parts: The paths to join to it.

    Raises:
        PathEscapeError: A part is absolute or has a null byte, or the result is outside.
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
