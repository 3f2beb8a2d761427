"""The exceptions of high-level servers, of both lines.

Owns: these classes. Must not know: which server raises them. Programs find them where 1.x has
them, which is also the module that they name.
"""


class FastMCPError(Exception):
    """The base class of the high-level server's exceptions."""

    # Their messages are shown even where those of unexpected exceptions are not.
    _for_models = True


class ValidationError(FastMCPError):
    """Parameters or results are invalid."""


class ResourceError(FastMCPError):
    """A resource does not exist or cannot be read."""


class ToolError(FastMCPError):
    """A tool does not exist or failed. Raised in a tool, its message is shown to the model."""

    # Whether it was made of what a tool's function raised, its cause.
    _wraps = False


class InvalidSignature(Exception):
    """A function cannot be used, because its signature cannot be described to clients."""


for _kind in (FastMCPError, ValidationError, ResourceError, ToolError, InvalidSignature):
    _kind.__module__ = "mcpbolt.server.fastmcp.exceptions"
