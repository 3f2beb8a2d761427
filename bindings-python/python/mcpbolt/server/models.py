"""What a server sends about itself when a session opens."""

from pydantic import BaseModel

from ..types import Icon, ServerCapabilities


class InitializationOptions(BaseModel):
    """Name, version and capabilities of a server, and what else its `initialize` result has."""

    server_name: str
    """The server's name, as clients see it."""
    server_version: str
    """The server's version."""
    capabilities: ServerCapabilities
    """What the server can do."""
    instructions: str | None = None
    """What a client's model should know to use the server well. Default: none."""
    website_url: str | None = None
    """The URL of a page about the server, for people. Default: none."""
    icons: list[Icon] | None = None
    """Icons for the server. Default: none."""
    title: str | None = None
    """The name to show to people. Default: none."""
    description: str | None = None
    """What the server is for. Default: none."""
