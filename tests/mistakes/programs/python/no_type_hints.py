from mcpbolt.server.fastmcp import FastMCP

mcp = FastMCP("shop")


@mcp.tool()
def add(a, b):
    return a + b


mcp.run()
