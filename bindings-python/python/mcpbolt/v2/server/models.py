"""What a server of 2.x sends about itself when a session opens.

Owns: its members. Must not know: who sends it.
"""

from pydantic import BaseModel

from ..types import Icon, ServerCapabilities

__all__ = ["InitializationOptions"]


class InitializationOptions(BaseModel):
    """Name, version and capabilities of a server, and what else clients are told."""

    server_name: str
    """The server's name, as clients see it."""
    server_version: str
    """The server's version."""
    title: str | None = None
    """The name to show to people. Default: none."""
    description: str | None = None
    """What the server is for. Default: none."""
    capabilities: ServerCapabilities
    """What the server can do."""
    instructions: str | None = None
    """What a client's model should know to use the server well. Default: none."""
    website_url: str | None = None
    """The URL of a page about the server, for people. Default: none."""
    icons: list[Icon] | None = None
    """Icons for the server. Default: none."""
