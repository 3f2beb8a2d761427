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
    """Raised in a resource: there is none of this URI after all."""


class UnexpectedResourceError(ResourceError):
    """Reading failed in a way nobody foresaw: `__cause__` has it, clients do not see it."""


class UnexpectedToolError(ToolError):
    """A tool failed in a way nobody foresaw: `__cause__` has it, clients do not see it."""
