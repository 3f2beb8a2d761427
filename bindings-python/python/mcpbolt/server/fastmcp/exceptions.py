"""The exceptions of the high-level server."""


class FastMCPError(Exception):
    """The base class of the high-level server's exceptions."""


class ValidationError(FastMCPError):
    """Parameters or results are invalid."""


class ResourceError(FastMCPError):
    """A resource does not exist or cannot be read."""


class ToolError(FastMCPError):
    """A tool does not exist or failed. Raised in a tool, its message is shown to the model."""


class InvalidSignature(Exception):
    """A function cannot be used, because its signature cannot be described to clients."""
