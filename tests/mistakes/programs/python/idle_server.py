from mcpbolt.server.fastmcp import FastMCP

mcp = FastMCP("shop")


@mcp.tool()
def add(a: int, b: int) -> int:
    return a + b
