"""The last server of those that are watched, in Python: `server.py PORT`."""

import sys

import export
from mcpbolt.server.fastmcp import FastMCP
from mcpbolt.server.fastmcp.exceptions import ToolError

export.turn_on()
mcp = FastMCP("watched", port=int(sys.argv[1]), metrics="/metrics")


@mcp.tool(structured_output=False)
def relay(modern: bool, fails: bool) -> str:
    """Asks nobody"""
    if fails:
        raise ToolError("as it was asked to")
    return "modern" if modern else "legacy"


mcp.run("http")
