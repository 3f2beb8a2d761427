"""What servers of the 2.x kind have from `FastMCP`."""
