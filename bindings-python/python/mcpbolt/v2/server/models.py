"""What a server of 2.x sends about itself when a session opens.

Owns: its members. Must not know: who sends it.
"""

from pydantic import BaseModel

from ..types import Icon, ServerCapabilities

__all__ = ["InitializationOptions"]


class InitializationOptions(BaseModel):
    """Name, version and capabilities of a server, and what else clients are told."""

    server_name: str
    server_version: str
    title: str | None = None
    description: str | None = None
    capabilities: ServerCapabilities
    instructions: str | None = None
    website_url: str | None = None
    icons: list[Icon] | None = None
