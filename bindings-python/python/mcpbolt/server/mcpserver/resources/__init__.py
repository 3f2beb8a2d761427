"""Resources of a server of the 2.x kind. Models are loaded on first use."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...._common.resources.base import Resource
    from ..._resource_security import DEFAULT_RESOURCE_SECURITY, ResourceSecurity, ResourceSecurityError
    from .resource_manager import ResourceManager
    from .templates import ResourceTemplate
    from .types import BinaryResource, DirectoryResource, FileResource, FunctionResource, HttpResource, TextResource

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

_HOMES = {
    "DEFAULT_RESOURCE_SECURITY": "..._resource_security",
    "Resource": "...._common.resources.base",
    "ResourceManager": ".resource_manager",
    "ResourceSecurity": "..._resource_security",
    "ResourceSecurityError": "..._resource_security",
    "ResourceTemplate": ".templates",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES.get(name, ".types"), __package__), name)
    globals()[name] = value
    return value
