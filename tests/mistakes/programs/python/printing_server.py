from mcpbolt.server.fastmcp import FastMCP

mcp = FastMCP("shop")


@mcp.tool()
def add(a: int, b: int) -> int:
    print("adding", a, b)
    return a + b


mcp.run()
