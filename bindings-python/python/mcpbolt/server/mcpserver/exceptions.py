"""The exceptions that a 2.x server raises and understands."""

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
"""The base class of the exceptions of a 2.x server."""


class ResourceNotFoundError(ResourceError):
    """Raised by a resource function that finds that nothing has this URI after all."""


class UnexpectedResourceError(ResourceError):
    """Reading a resource failed in an unexpected way: `__cause__` has it, clients do not see it."""


class UnexpectedToolError(ToolError):
    """A tool failed in an unexpected way: `__cause__` has it, clients do not see it."""
