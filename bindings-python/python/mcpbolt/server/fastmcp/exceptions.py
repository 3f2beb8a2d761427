"""The exceptions of the high-level server."""


class FastMCPError(Exception):
    """The base class of the high-level server's exceptions."""


class ValidationError(FastMCPError):
    """Parameters or results are not what they should be."""


class ResourceError(FastMCPError):
    """A resource is not there or cannot be read."""


class ToolError(FastMCPError):
    """A tool does not exist, or failed."""


class InvalidSignature(Exception):
    """A function cannot be used: its signature cannot be described to clients."""
