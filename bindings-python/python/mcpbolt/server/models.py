"""What a server sends about itself when a session opens."""

from pydantic import BaseModel

from ..types import Icon, ServerCapabilities


class InitializationOptions(BaseModel):
    """Name, version and capabilities of a server, and what else its `initialize` result has."""

    server_name: str
    server_version: str
    capabilities: ServerCapabilities
    instructions: str | None = None
    website_url: str | None = None
    icons: list[Icon] | None = None
    title: str | None = None
    description: str | None = None
