"""The releases of the official packages whose names and behaviour are copied."""

OFFICIAL_NAME = "mcp"
OFFICIAL_VERSION = "1.30.0"
VERSION_2 = "2.3.0"
TYPES_NAME = "mcp_types"
