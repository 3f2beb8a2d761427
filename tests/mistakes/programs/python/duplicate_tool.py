from mcpbolt.server.fastmcp import FastMCP

mcp = FastMCP("shop")


@mcp.tool()
def add(a: int, b: int) -> int:
    return a + b


@mcp.tool(name="add")
def sum_up(a: int, b: int) -> int:
    return a + b


mcp.run()
