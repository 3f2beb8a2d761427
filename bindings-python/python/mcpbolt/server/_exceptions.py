"""The exceptions of high-level servers, of both lines.

Owns: these classes. Must not know: which server raises them. Programs find them where 1.x has
them, which is also the module that they name.
"""

from .._naming import found_in


class FastMCPError(Exception):
    """The base class of the high-level server's exceptions."""

    # Their messages are shown even where those of unexpected exceptions are not.
    _for_models = True


class ValidationError(FastMCPError):
    """Parameters or results are invalid."""


class ResourceError(FastMCPError):
    """A resource does not exist or cannot be read."""


class ToolError(FastMCPError):
    """A tool does not exist or failed. If a tool raises it, the model is shown the message."""

    wraps: bool = False
    """Whether its cause is an exception that the function of a tool raised."""
    refuses_arguments: bool = False
    """Whether the arguments of a call are at fault."""


def words_of(error: BaseException) -> str:
    """The message of an exception; what it is called if its own message cannot be made."""
    try:
        return str(error)
    except Exception:
        return f"{type(error).__name__}, whose message cannot be shown"


def failed_tool(name: str, error: BaseException, refuses: bool = False) -> ToolError:
    """The error of a tool whose call failed with `error`, to be raised from it. `refuses` says
    that the arguments are at fault, not the tool's function.
    """
    found = ToolError(f"Error executing tool {name}: {words_of(error)}")
    found.wraps, found.refuses_arguments = True, refuses
    return found


def reason_of(error: BaseException) -> BaseException:
    """The cause of an error that `failed_tool` made; else the error itself."""
    cause = error.__cause__ if isinstance(error, ToolError) and error.wraps else None
    return error if cause is None else cause


class InvalidSignature(Exception):
    """A function cannot be used, because its signature cannot be described to clients."""


for _kind in (FastMCPError, ValidationError, ResourceError, ToolError, InvalidSignature):
    found_in("server.fastmcp.exceptions")(_kind)
