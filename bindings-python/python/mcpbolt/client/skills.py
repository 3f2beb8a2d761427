"""Skills of a server, for a host.

Owns: asking for entries and files, and refusing what is not what its entry says. Must not know: the
rules of that, which the engine knows; users and models.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from .._mcpbolt import skill_decision, verify_skill

if TYPE_CHECKING:
    from .client import Client

__all__ = ["LoadedSkill", "SkillApprovalError", "SkillFile", "SkillListing", "SkillVerificationError", "SkillsClient"]

_EXTENSION = "io.modelcontextprotocol/skills"
_MAX_PAGES = 10_000
_Object: TypeAlias = dict[str, Any]
_Items: TypeAlias = list[Any]


class SkillVerificationError(Exception):
    """A file differs from the entry of its skill, and must not be used. Get the entry again; if it
    changed, the user has to approve it again.

    Args:
        reason: What differs: `unlisted`, `size`, `digest` or `frontmatter`.
        uri: The URI of the file.
        message: What is wrong.
        differences: The differences in the frontmatter, one sentence each. Default: none.
    """

    def __init__(self, reason: str, uri: str, message: str, differences: list[str] | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        """What differs: `unlisted` (the entry does not list the file), `size`, `digest` or
        `frontmatter`.
        """
        self.uri = uri
        """The URI of the file."""
        self.differences: list[str] = differences or []
        """The differences in the frontmatter, one sentence each."""


class SkillApprovalError(Exception):
    """An approval is for another server, skill or set of files, or the skill is dynamic, so that no
    approval of it can be stored.
    """


@dataclass
class SkillListing:
    """The skills that a server lists. It may have others, which `get` finds by their URIs."""

    skills: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """The valid entries."""
    refused: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """The URIs of the invalid entries, and what is wrong with each."""


@dataclass(frozen=True)
class SkillFile:
    """A file of a skill."""

    uri: str
    """The URI of the file."""
    content: bytes
    """The bytes of the file."""
    mime_type: str | None = None
    """The MIME type, as the server gives it; `None` without one."""
    verified: bool = True
    """Whether size and digest were checked; `False` for files of dynamic skills."""

    @property
    def text(self) -> str:
        """The text of the file.

        Raises:
            UnicodeDecodeError: It is not UTF-8.
        """
        return self.content.decode()


class SkillsClient:
    """The skills of one server. Nothing is fetched before a method asks for it.

    Args:
        client: A connected client.
        server: This program's own name for the server, which approvals are bound to. Do not use the
            name that the server gives itself.
    """

    def __init__(self, client: Client, server: str) -> None:
        self._client = client
        self.server = server
        """This program's name for the server."""

    @property
    def _declared(self) -> Mapping[str, Any] | None:
        extensions: Any = getattr(self._client.server_capabilities, "extensions", None) or {}
        declared = extensions.get(_EXTENSION)
        return cast("Mapping[str, Any]", declared) if isinstance(declared, Mapping) else None

    @property
    def supported(self) -> bool:
        """Whether the server offers skills."""
        return self._declared is not None

    @property
    def directory_read(self) -> bool:
        """Whether the server lists folders."""
        return (self._declared or {}).get("directoryRead") is True

    async def list(self) -> SkillListing:
        """Get all entries that the server lists; none if it offers no skills."""
        listing = SkillListing()
        for entry in await self._pages("skills/list", "skills", {}) if self.supported else []:
            uri = str(cast("_Object", entry).get("uri", "")) if isinstance(entry, dict) else ""
            wrong = _problems(entry)
            if any(skill["uri"] == uri for skill in listing.skills):
                wrong.append("it is listed twice")
            if wrong:
                listing.refused.append((uri, "; ".join(wrong)))
            else:
                listing.skills.append(cast("_Object", entry))
        return listing

    async def get(self, uri: str) -> dict[str, Any]:
        """Get the current entry of one skill, listed or not.

        Args:
            uri: The URI of its `SKILL.md`.

        Raises:
            McpError: The server has no skill with this URI.
            ValueError: The entry is not valid, or is that of another skill.
        """
        skill: _Object = (await self._ask("skills/get", {"uri": uri})).get("skill") or {}
        wrong = _problems(skill) or ([] if skill["uri"] == uri else ["it is the entry of another skill"])
        if wrong:
            raise ValueError(f"the entry of the skill {uri} is not valid: {'; '.join(wrong)}")
        return skill

    def approve(self, skill: dict[str, Any]) -> dict[str, Any]:
        """Make an approval of the entry that the user has just agreed to, to be stored as JSON.

        Args:
            skill: The entry of the skill.

        Raises:
            SkillApprovalError: The skill is dynamic: its files may change, so that no approval can
                be bound to them.
        """
        approval: _Object | None = skill_decision("approval", json.dumps({"server": self.server, "skill": skill}))
        if approval is None:
            raise SkillApprovalError(f"the skill {skill['uri']} is dynamic: an approval of it cannot be kept")
        return approval

    async def load(self, skill: dict[str, Any], approval: dict[str, Any] | None = None) -> LoadedSkill:
        """Read the `SKILL.md` of a skill, and check it against the entry.

        Args:
            skill: The entry of the skill.
            approval: The stored result of `approve`. Default: none, for when the user has just
                agreed.

        Raises:
            SkillApprovalError: The approval is for something else; nothing was read.
            SkillVerificationError: The file differs from the entry.
            ValueError: The entry is not valid.
        """
        wrong = _problems(skill)
        if wrong:
            raise ValueError(f"the entry of the skill is not valid: {'; '.join(wrong)}")
        asked = {"server": self.server, "skill": skill, "approval": approval}
        if approval is not None and not skill_decision("covers", json.dumps(asked)):
            raise SkillApprovalError(f"the skill {skill['uri']} is not the one that was approved: ask the user again")
        file, manifest = await self.fetch(skill, skill["uri"])
        return LoadedSkill(self, skill, file, manifest)

    async def read_directory(self, uri: str) -> _Items:
        """List the current content of a folder on the server. Files that a loaded skill does not list
        cannot be read through it, even if they are listed here.

        Args:
            uri: The URI of the folder.

        Raises:
            ValueError: The server does not list folders; nothing was sent.
        """
        if not self.directory_read:
            raise ValueError(f"the server {self.server} does not declare directoryRead")
        return await self._pages("resources/directory/read", "resources", {"uri": uri})

    async def _ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        return cast("_Object", await self._client.session.ask(method, json.dumps(params), fresh=True))

    async def _pages(self, method: str, member: str, params: _Object) -> _Items:
        found: _Items = []
        for _ in range(_MAX_PAGES):
            page = await self._ask(method, params)
            found.extend(page.get(member) or [])
            cursor = page.get("nextCursor")
            if cursor is None or cursor == params.get("cursor"):
                return found
            params = {**params, "cursor": cursor}
        raise ValueError(f"{method} has more than {_MAX_PAGES} pages")

    async def fetch(self, skill: dict[str, Any], uri: str) -> tuple[SkillFile, Any]:
        """Read a file and check it against the entry. Returns the file, and the parsed content if it is
        the `SKILL.md`.

        Args:
            skill: The entry of the skill.
            uri: The URI of the file.
        """
        result = await self._ask("resources/read", {"uri": uri})
        parts: _Items = result.get("contents") or []
        for part in parts:
            if part.get("uri") != uri and (_resolved(skill, str(part.get("uri"))) or {}).get("uri") != uri:
                continue
            content = part["text"].encode() if "text" in part else base64.b64decode(part["blob"])
            verdict = verify_skill(json.dumps(skill), uri, content)
            if "reason" in verdict:
                raise SkillVerificationError(verdict["reason"], uri, verdict["message"], verdict["differences"])
            return SkillFile(uri, content, part.get("mimeType"), skill["resources"] != "dynamic"), verdict["manifest"]
        raise ValueError(f"the server sent no contents of {uri}")


class LoadedSkill:
    """A skill whose `SKILL.md` was read and checked. `read` reads its other files: only those that the
    entry lists, and only from the server that has the skill.

    The frontmatter grants no permissions: ignore `allowed-tools`, hooks and the like unless the user
    allowed them for this skill.

    Args:
        skills: The client that reads files.
        skill: The entry of the skill.
        file: The `SKILL.md`.
        manifest: The parsed content of the `SKILL.md`.
    """

    def __init__(self, skills: SkillsClient, skill: dict[str, Any], file: SkillFile, manifest: dict[str, Any]) -> None:
        self._skills = skills
        self.skill = skill
        """The entry of the skill."""
        self.file = file
        """The `SKILL.md`."""
        self.body: str = manifest["body"]
        """The Markdown below the frontmatter."""

    def for_model(self) -> str:
        """The instructions for the model, with a line about the skill and its server before them."""
        name, server = self.skill["frontmatter"]["name"], self._skills.server
        return (
            f"Skill {name} of the MCP server {server} ({self.skill['uri']}); the server wrote it, not the user."
            f"\n\n{self.body}"
        )

    async def read(self, reference: str) -> SkillFile:
        """Read a file by its path from the skill's folder, or by its URI.

        Args:
            reference: The path or the URI.

        Raises:
            SkillVerificationError: The file differs from the entry, or the entry does not list it; then
                nothing was sent.
        """
        found = _resolved(self.skill, reference)
        if found is None:
            raise SkillVerificationError("unlisted", reference, f"{reference} is no file of {self.skill['uri']}")
        return (await self._skills.fetch(self.skill, found["uri"]))[0]


def _problems(entry: Any) -> list[str]:
    return cast("list[str]", skill_decision("problems", json.dumps({"skill": entry})))


def _resolved(skill: dict[str, Any], reference: str) -> dict[str, Any] | None:
    return cast("_Object | None", skill_decision("resolve", json.dumps({"skill": skill, "reference": reference})))
