"""What the high-level server raises."""


class FastMCPError(Exception):
    """The parent of them all."""


class ValidationError(FastMCPError):
    """Parameters or results are not what they should be."""


class ResourceError(FastMCPError):
    """A resource is not there or cannot be read."""


class ToolError(FastMCPError):
    """A tool is not there or failed."""


class InvalidSignature(Exception):
    """A function cannot be used: its signature cannot be described to clients."""
