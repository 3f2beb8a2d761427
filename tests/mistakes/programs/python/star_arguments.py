from mcpbolt.server.fastmcp import FastMCP

mcp = FastMCP("shop")


@mcp.tool()
def add(*numbers: int, **more: int) -> int:
    return sum(numbers)


mcp.run()
