"""Resources of the high-level server.

Owns: its place in the official package. Must not know: how it works.
"""

from .....server.mcpserver.resources import (
    DEFAULT_RESOURCE_SECURITY,
    BinaryResource,
    DirectoryResource,
    FileResource,
    FunctionResource,
    HttpResource,
    Resource,
    ResourceManager,
    ResourceSecurity,
    ResourceSecurityError,
    ResourceTemplate,
    TextResource,
)

__all__ = [
    "DEFAULT_RESOURCE_SECURITY",
    "BinaryResource",
    "DirectoryResource",
    "FileResource",
    "FunctionResource",
    "HttpResource",
    "Resource",
    "ResourceManager",
    "ResourceSecurity",
    "ResourceSecurityError",
    "ResourceTemplate",
    "TextResource",
]
