"""What the high-level servers of both lines share: `server.fastmcp` and `server.mcpserver`."""
