import sys

from mcpbolt.server.fastmcp import FastMCP

mcp = FastMCP("shop", port=int(sys.argv[1]))
mcp.run(transport="streamable-http")
