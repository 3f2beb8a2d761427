"""What servers of the 2.x kind share with `FastMCP`."""
