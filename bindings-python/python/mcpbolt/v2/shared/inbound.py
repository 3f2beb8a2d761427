"""Headers of 2026-07-28, where programs for 2.x look for them.

Owns: their names. Must not know: what is done with a request; the engine decides that.
"""

from typing import Final

from ...shared._param_headers import fault_of as find_invalid_x_mcp_header
from ...shared._param_headers import headers_of as mcp_param_headers
from ...shared._param_headers import repeated as x_mcp_header_map
from ...shared._param_headers import spelled as encode_header_value

__all__ = [
    "MCP_METHOD_HEADER",
    "MCP_NAME_HEADER",
    "MCP_PARAM_HEADER_PREFIX",
    "MCP_PROTOCOL_VERSION_HEADER",
    "X_MCP_HEADER_KEY",
    "encode_header_value",
    "find_invalid_x_mcp_header",
    "mcp_param_headers",
    "x_mcp_header_map",
]

MCP_PROTOCOL_VERSION_HEADER: Final = "mcp-protocol-version"
"""The revision of a request."""
MCP_METHOD_HEADER: Final = "mcp-method"
"""Its method."""
MCP_NAME_HEADER: Final = "mcp-name"
"""What it is about: the tool, prompt or resource."""
MCP_PARAM_HEADER_PREFIX: Final = "Mcp-Param-"
"""Begins the headers that repeat arguments."""
X_MCP_HEADER_KEY: Final = "x-mcp-header"
"""In a tool's schema: the header that repeats an argument."""
