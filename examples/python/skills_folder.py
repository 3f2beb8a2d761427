"""A server of skills: folders with instructions that a host loads when it needs them.

Shows: publishing a folder with one extension, for clients of either era. Written against the
2.x API.

    python examples/python/skills_folder.py --http 127.0.0.1:3000
"""

from pathlib import Path

from common import server_arguments
from mcpbolt.server import MCPServer
from mcpbolt.v2.server.skills import SkillFolder

SKILLS = Path(__file__).parent.parent / "skills"

mcp = MCPServer("skills", extensions=[SkillFolder(SKILLS, ttl_ms=60_000, cache_scope="public")])

if __name__ == "__main__":
    http = server_arguments(__doc__).parse_args().http
    if http is None:
        mcp.run("stdio")
    else:
        host, _, port = http.rpartition(":")
        mcp.run("streamable-http", host=host.strip("[]"), port=int(port))
