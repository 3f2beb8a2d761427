"""Chapter resources."""

from __future__ import annotations

import asyncio

import pytest

# [guide]
from mcpbolt.server.fastmcp import Context, FastMCP

mcp = FastMCP("notes")
NOTES = {"garden": "water the beans"}


@mcp.resource("note:///shopping", mime_type="text/plain")
def shopping() -> str:
    return "milk"  # `bytes` are sent as Base64


@mcp.resource("notes://{name}")
def note(name: str) -> str:
    """A note by its name."""
    # The value comes from a stranger: look it up, do not open it.
    if name not in NOTES:
        raise ValueError(f"There is no note {name}.")
    return NOTES[name]


@mcp.tool()
async def write(name: str, text: str, ctx: Context) -> str:
    """Writes a note, and tells whoever subscribed."""
    NOTES[name] = text
    await ctx.session.send_resource_updated(f"notes://{name}")
    return "Written."
# [end]

# [guide]
from pathlib import Path  # noqa: E402

from mcpbolt import MCPServer  # noqa: E402
from mcpbolt.server.mcpserver import ResourceSecurity  # noqa: E402
from mcpbolt.shared.path_security import safe_join  # noqa: E402

FOLDER = Path("/srv/docs")
server = MCPServer("docs")


@server.resource("docs://{+path}{?lines}")
def document(path: str, lines: int = 10) -> str:
    # Two dots, absolute paths and null bytes were refused before; symlinks are followed here.
    return "\n".join(safe_join(FOLDER, path).read_text("utf-8").splitlines()[:lines])


@server.resource("diff://{+range}", security=ResourceSecurity(exempt_params={"range"}))
def diff(range: str) -> str:
    return f"what changed in {range}"
# [end]

# [guide]
from mcpbolt import ClientSession, McpError  # noqa: E402
from mcpbolt.types import TextResourceContents  # noqa: E402


async def read(session: ClientSession, uri: str) -> str:
    try:
        result = await session.read_resource(uri)
    except McpError as error:
        return f"cannot be read: {error.error.message}"
    return "".join(
        part.text if isinstance(part, TextResourceContents) else "(bytes)" for part in result.contents
    )
# [end]


def test_resources_templates_and_failures() -> None:
    from mcpbolt import Client

    async def main() -> None:
        async with Client(mcp) as client:
            assert await read(client.session, "note:///shopping") == "milk"
            assert await read(client.session, "notes://garden") == "water the beans"
            assert (await read(client.session, "notes://attic")).startswith("cannot be read")
            assert not (await client.call_tool("write", {"name": "attic", "text": "dust"})).isError
            assert await read(client.session, "notes://attic") == "dust"
            assert len((await client.list_resources()).resources) == 1
            assert len((await client.list_resource_templates()).resourceTemplates) == 1

    asyncio.run(asyncio.wait_for(main(), 60))


def test_templates_are_guarded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from mcpbolt import Client

    monkeypatch.setitem(globals(), "FOLDER", tmp_path)
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b.txt").write_text("1\n2\n3\n")

    async def main() -> None:
        async with Client(server) as client:
            assert await read(client.session, "docs://a/b.txt?lines=2") == "1\n2"
            for path in ("../b", "%2Fetc%2Fpasswd", "a%00"):
                assert await read(client.session, f"docs://{path}") == f"cannot be read: Unknown resource: docs://{path}"
            assert await read(client.session, "diff://a../b") == "what changed in a../b"

    asyncio.run(asyncio.wait_for(main(), 60))


def test_there_is_something_to_test() -> None:
    with pytest.raises(ValueError, match="no note"):
        note("cellar")
