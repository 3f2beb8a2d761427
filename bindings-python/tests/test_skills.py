"""Skills: a folder is published by one extension; a host takes what its entry says and nothing else."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from eras import ERAS, run

from mcpbolt import Client, McpError
from mcpbolt.client.skills import SkillApprovalError, SkillsClient, SkillVerificationError
from mcpbolt.server import MCPServer
from mcpbolt.v2.server.skills import SkillFolder

REFUNDS = "---\nname: refunds\ndescription: Process refunds\nallowed-tools: Bash\n---\n\nGo on.\n"
URI = "skill://acme/billing/refunds/SKILL.md"


def put(path: Path, content: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    put(tmp_path / "billing/refunds/SKILL.md", REFUNDS)
    put(tmp_path / "billing/refunds/examples/email.md", "Dear customer")
    put(tmp_path / "billing/refunds/logo.png", b"\x89P\xff")
    put(tmp_path / "notes.txt", "no skill")
    return tmp_path


def served(folder: Path, **options: Any) -> MCPServer:
    return MCPServer("docs", extensions=[SkillFolder(folder, prefix="acme", **options)])


@ERAS
def test_a_host_loads_a_skill_of_a_folder(mode: str, folder: Path) -> None:
    async def main() -> None:
        async with Client(served(folder, ttl_ms=5000), mode=mode) as client:
            skills = SkillsClient(client, "docs")
            assert skills.supported and skills.directory_read
            listing = await skills.list()
            assert [skill["uri"] for skill in listing.skills] == [URI] and not listing.refused
            skill = await skills.get(URI)
            assert skill == listing.skills[0] and len(skill["resources"]) == 3
            loaded = await skills.load(skill, skills.approve(skill))
            assert loaded.body == "\nGo on.\n" and "the MCP server docs" in loaded.for_model()
            assert (await loaded.read("examples/email.md")).text == "Dear customer"
            assert (await loaded.read("logo.png")).content == b"\x89P\xff"
            children = await skills.read_directory("skill://acme/billing/refunds")
            assert [child["name"] for child in children] == ["SKILL.md", "examples", "logo.png"]
            with pytest.raises(McpError) as unknown:
                await skills.get("skill://none/SKILL.md")
            assert unknown.value.error.code == -32602
            with pytest.raises(McpError) as no_folder:
                await skills.read_directory(URI)
            assert no_folder.value.error.code == -32602
            with pytest.raises(SkillVerificationError) as unlisted:
                await loaded.read("../secret.md")
            assert unlisted.value.reason == "unlisted"

    run(main())


def test_a_change_on_disk_is_not_served_and_voids_an_approval(folder: Path) -> None:
    async def main() -> None:
        async with Client(served(folder)) as client:
            skills = SkillsClient(client, "docs")
            skill = await skills.get(URI)
            approval = skills.approve(skill)
            put(folder / "billing/refunds/examples/email.md", "Dear friend!!")
            loaded = await skills.load(skill, approval)
            with pytest.raises(McpError):
                await loaded.read("examples/email.md")
        async with Client(served(folder)) as client:
            changed = SkillsClient(client, "docs")
            with pytest.raises(SkillApprovalError):
                await changed.load(await changed.get(URI), approval)
            with pytest.raises(SkillApprovalError):
                await SkillsClient(client, "other").load(skill, approval)
            with pytest.raises(SkillVerificationError) as stale:
                await (await changed.load(skill)).read("examples/email.md")
            assert stale.value.reason == "digest"

    run(main())


def test_what_is_not_declared_is_not_asked(folder: Path) -> None:
    async def main() -> None:
        async with Client(served(folder, directory_read=False)) as client:
            with pytest.raises(ValueError, match="directoryRead"):
                await SkillsClient(client, "docs").read_directory("skill://acme/billing/refunds")
        async with Client(MCPServer("plain")) as client:
            assert not SkillsClient(client, "plain").supported
            assert (await SkillsClient(client, "plain").list()).skills == []

    run(main())


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="the system has no links")
def test_a_skill_with_a_link_or_a_wrong_name_is_left_out_and_named(folder: Path) -> None:
    (folder / "billing/refunds/more.md").symlink_to("/etc/passwd")
    put(folder / "wrong/SKILL.md", "---\nname: other\ndescription: Wrong\n---\n")
    skills = SkillFolder(folder)
    assert skills.skills == []
    assert [problem.split(":")[0] for problem in skills.problems] == ["billing/refunds/more.md", "wrong/SKILL.md"]
