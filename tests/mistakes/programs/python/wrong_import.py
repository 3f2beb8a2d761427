from mcpbolt.server import FastMPC

mcp = FastMPC("shop")
mcp.run()
