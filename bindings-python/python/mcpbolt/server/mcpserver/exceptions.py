"""What a server of the 2.x kind raises and understands."""

from __future__ import annotations

from ..fastmcp.exceptions import FastMCPError, InvalidSignature, ResourceError, ToolError

__all__ = [
    "InvalidSignature",
    "MCPServerError",
    "ResourceError",
    "ResourceNotFoundError",
    "ToolError",
    "UnexpectedResourceError",
    "UnexpectedToolError",
]

MCPServerError = FastMCPError
"""The parent of them all."""


class ResourceNotFoundError(ResourceError):
    """Raised by a resource function that finds that nothing has this URI after all."""


class UnexpectedResourceError(ResourceError):
    """Reading a resource failed in an unexpected way: `__cause__` has it, clients do not see it."""


class UnexpectedToolError(ToolError):
    """A tool failed in an unexpected way: `__cause__` has it, clients do not see it."""
