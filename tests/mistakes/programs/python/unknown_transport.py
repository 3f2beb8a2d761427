from mcpbolt.server.fastmcp import FastMCP

mcp = FastMCP("shop")
mcp.run(transport="htpp")
