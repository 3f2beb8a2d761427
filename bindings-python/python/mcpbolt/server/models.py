"""What a server sends about itself when a session opens."""

from pydantic import BaseModel

from ..types import Icon, ServerCapabilities


class InitializationOptions(BaseModel):
    """The description of a server that clients get when they connect."""

    server_name: str
    """The server's name, as clients see it."""
    server_version: str
    """The server's version."""
    capabilities: ServerCapabilities
    """The capabilities that the server declares."""
    instructions: str | None = None
    """What a client's model should know to use the server well. Default: none."""
    website_url: str | None = None
    """The URL of the server's website. Default: none."""
    icons: list[Icon] | None = None
    """Icons for the server. Default: none."""
    title: str | None = None
    """The name to show to people. Default: none."""
    description: str | None = None
    """A description of the server. Default: none."""
