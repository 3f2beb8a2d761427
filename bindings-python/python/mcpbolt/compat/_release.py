"""The release of the official package whose names and behaviour are copied."""

OFFICIAL_NAME = "mcp"
OFFICIAL_VERSION = "1.30.0"
