"""A skill and the tools that it needs: how release notes are written here, and what has changed.

    python release_notes.py path/to/repository
"""

import subprocess
import sys
from pathlib import Path
from typing import Annotated

from mcpbolt.server import MCPServer
from mcpbolt.server.mcpserver.exceptions import ToolError
from mcpbolt.types import ToolAnnotations
from mcpbolt.v2.server.skills import SkillFolder
from pydantic import BaseModel, Field

SKILLS = Path(__file__).resolve().parent.parent / "skills"
MOST = 200
READS = ToolAnnotations(readOnlyHint=True, openWorldHint=False)

# A name that begins with a hyphen would be an option of git.
Name = Annotated[str, Field(pattern=r"^\w[\w./-]*$", max_length=100)]

repository = Path(".")
skills = SkillFolder(SKILLS)
mcp = MCPServer(
    "releases",
    # For hosts that do not know skills: the file is an ordinary resource to them.
    instructions="Before you write release notes, read skill://release-notes/SKILL.md.",
    extensions=[skills],
)


class Commit(BaseModel):
    id: str
    day: str
    subject: str
    details: str


class Changes(BaseModel):
    commits: list[Commit]
    more: bool
    """Whether there are older ones that are not in this list."""


def git(*words: str) -> str:
    """What git prints. A list of words and no shell: nothing in them is understood as a command."""
    done = subprocess.run(
        ["git", "-C", repository, *words], capture_output=True, encoding="utf-8", errors="replace", timeout=30
    )
    if done.returncode != 0:
        raise ToolError(f"git says: {done.stderr.strip()}")
    return done.stdout


@mcp.tool(annotations=READS)
def last_release() -> str:
    """The newest tag on the current branch."""
    return git("describe", "--tags", "--abbrev=0").strip()


@mcp.tool(annotations=READS)
def changes(since: Name) -> Changes:
    """The commits since a tag, newest first, at most 200."""
    found = git("log", "--no-merges", f"-{MOST + 1}", "--format=%h%x1f%as%x1f%s%x1f%b%x1e", f"{since}..HEAD", "--")
    rows = [row.strip("\n").split("\x1f") for row in found.split("\x1e")[:-1]]
    commits = [Commit(id=id, day=day, subject=subject, details=body.strip()) for id, day, subject, body in rows]
    return Changes(commits=commits[:MOST], more=len(commits) > MOST)


@mcp.tool(annotations=READS)
def files_of(commit: Name) -> str:
    """Which files a commit has changed, and by how many lines."""
    return git("show", "--stat", "--format=", commit, "--")


if __name__ == "__main__":
    if skills.problems:
        sys.exit("\n".join(skills.problems))  # a skill that is left out is not missed by anybody
    repository = Path(sys.argv[1])
    mcp.run()
