"""The exceptions that a server of the 2.x kind raises and handles."""

from __future__ import annotations

from .._exceptions import FastMCPError, InvalidSignature, ResourceError, ToolError

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
"""The base class of the high-level server's exceptions."""


class ResourceNotFoundError(ResourceError):
    """Raise it in a resource's function if there is no resource with the requested URI."""


class UnexpectedResourceError(ResourceError):
    """Reading a resource failed unexpectedly. `__cause__` is the reason; clients do not see it."""


class UnexpectedToolError(ToolError):
    """A tool failed unexpectedly. `__cause__` is the reason; clients do not see it."""
