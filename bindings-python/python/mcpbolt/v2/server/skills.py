"""Skills in a folder, for a server of the 2.x kind.

Owns: finding and reading the files, and the extension's methods. Must not know: what makes a good
skill; the engine does.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, PrivateAttr

from ..._mcpbolt import skill_decision, skill_digest
from ...server.extension import Extension, MethodBinding, ResourceBinding
from .mcpserver.resources import Resource
from ...shared.exceptions import McpError

__all__ = ["EXTENSION_ID", "SkillFolder"]

EXTENSION_ID = "io.modelcontextprotocol/skills"
"""The extension's identifier."""

_MANIFEST = "SKILL.md"
_PAGE = 100
_MAX_ENTRIES = 100_000
_INVALID_PARAMS = -32602
_INTERNAL_ERROR = -32603


class _Params(BaseModel):
    """What the extension's methods are asked."""

    uri: str = ""
    cursor: str | None = None


class SkillFolder(Extension):
    """The extension that serves the skills in a folder:
    `MCPServer(…, extensions=[SkillFolder("skills")])`.

    Each folder in it that has a `SKILL.md` is a skill, with all files below. Files and folders whose
    names begin with a dot are left out, and so are skills with symbolic links. The files are read
    when the object is made; a file that changed afterwards is not served.

    Args:
        path: The folder.
        prefix: A path before that of each skill: `acme` makes `skill://acme/refunds/SKILL.md`.
            Default: none.
        directory_read: Whether clients may list folders. Default: yes.
        ttl_ms: How long clients may cache lists and entries, in milliseconds. Default: 0, not at
            all.
        cache_scope: `"public"` if cached lists and entries may be given to other users too. Default:
            `"private"`.

    Raises:
        OSError: The folder or a file in it cannot be read.
    """

    identifier = EXTENSION_ID

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        prefix: str = "",
        directory_read: bool = True,
        ttl_ms: int = 0,
        cache_scope: Literal["public", "private"] = "private",
    ) -> None:
        self._root = Path(path).resolve(strict=True)
        self._directory_read = directory_read
        self._hint = {"ttlMs": ttl_ms, "cacheScope": cache_scope}
        self._catalog: dict[str, Any] = skill_decision(
            "catalog", json.dumps({**_found(self._root), "prefix": [name for name in prefix.split("/") if name]})
        )

    @property
    def skills(self) -> list[dict[str, Any]]:
        """The entries of the skills that are served."""
        return list(self._catalog["skills"])

    @property
    def problems(self) -> list[str]:
        """The skills and files that are not served, or are too large for some hosts, and why."""
        return [f"{problem['path']}: {problem['message']}" for problem in self._catalog["problems"]]

    def settings(self) -> dict[str, Any]:
        """The extension's settings."""
        return {"directoryRead": True} if self._directory_read else {}

    def resources(self) -> Sequence[ResourceBinding]:
        """The files of the skills."""
        named = {listed["uri"]: listed for listed in self._catalog["listed"]}
        return [
            ResourceBinding(resource=_file(self._root, file, named.get(file["uri"]))) for file in self._catalog["files"]
        ]

    def methods(self) -> Sequence[MethodBinding]:
        """The methods `skills/list`, `skills/get` and, with `directory_read`, `resources/directory/read`."""
        reading = (
            [MethodBinding("resources/directory/read", _Params, self._read_directory)] if self._directory_read else []
        )
        return [
            MethodBinding("skills/list", _Params, self._list),
            MethodBinding("skills/get", _Params, self._get),
            *reading,
        ]

    async def _list(self, ctx: Any, params: _Params) -> dict[str, Any]:
        return self._page("skills", self._catalog["skills"], params.cursor)

    async def _get(self, ctx: Any, params: _Params) -> dict[str, Any]:
        for skill in self._catalog["skills"]:
            if skill["uri"] == params.uri:
                return {"skill": skill, **self._hint}
        raise McpError(_INVALID_PARAMS, f"no skill is served at {params.uri}")

    async def _read_directory(self, ctx: Any, params: _Params) -> dict[str, Any]:
        children = self._catalog["folders"].get(params.uri)
        if children is None:
            raise McpError(_INVALID_PARAMS, f"{params.uri} is not a directory resource")
        return self._page("resources", children, params.cursor)

    def _page(self, member: str, items: list[dict[str, Any]], cursor: str | None) -> dict[str, Any]:
        start = 0 if cursor is None else _start(member, cursor)
        result: dict[str, Any] = {member: items[start : start + _PAGE], **self._hint}
        if start + _PAGE < len(items):
            result["nextCursor"] = base64.urlsafe_b64encode(f"{member}:{start + _PAGE}".encode()).decode()
        return result


def _start(member: str, cursor: str) -> int:
    try:
        name, _, start = base64.urlsafe_b64decode(cursor).decode().partition(":")
        if name == member:
            return int(start)
    except ValueError:
        pass
    raise McpError(_INVALID_PARAMS, "cursor is not one this server issued")


class _SkillFile(Resource):
    """A file of a skill, served only as it was published."""

    _path: Path = PrivateAttr()
    _digest: str = PrivateAttr()

    def published(self, path: Path, digest: str) -> _SkillFile:
        self._path, self._digest = path, digest
        return self

    async def read(self) -> str | bytes:
        content = _read(self._path)
        if skill_digest(content) != self._digest:
            raise McpError(_INTERNAL_ERROR, "the file changed since its skill was published")
        try:
            return content.decode()
        except UnicodeDecodeError:
            return content


def _file(root: Path, file: dict[str, Any], listed: dict[str, Any] | None) -> _SkillFile:
    about = listed or {"name": file["path"].rpartition("/")[2], "description": None}
    made = _SkillFile(uri=file["uri"], name=about["name"], description=about["description"], mime_type=file["mimeType"])
    return made.published(root / file["path"], file["digest"])


def _read(path: Path) -> bytes:
    with open(os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)), "rb") as file:
        return file.read()


def _found(root: Path) -> dict[str, Any]:
    files, folders, other = list[str](), list[str](), list[str]()
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        for entry in sorted(os.scandir(root / folder), key=lambda entry: entry.name):
            if entry.name.startswith("."):
                continue
            path = f"{folder}/{entry.name}" if folder else entry.name
            if entry.is_dir(follow_symlinks=False):
                folders.append(path)
                waiting.append(path)
            else:
                (files if entry.is_file(follow_symlinks=False) else other).append(path)
        if len(files) + len(folders) > _MAX_ENTRIES:
            raise OSError(f"{root} holds more than {_MAX_ENTRIES} files and folders")
    skills = {path.rpartition("/")[0] for path in files if path.rpartition("/")[2] == _MANIFEST}
    digests, manifests = list[dict[str, Any]](), dict[str, str]()
    for path in files:
        parts = path.split("/")
        if not any("/".join(parts[:depth]) in skills for depth in range(len(parts))):
            continue
        content = _read(root / path)
        digests.append({"path": path, "digest": skill_digest(content), "size": len(content)})
        if parts[-1] == _MANIFEST:
            manifests[path] = content.decode(errors="replace")
    return {"files": digests, "folders": folders, "other": other, "manifests": manifests}
