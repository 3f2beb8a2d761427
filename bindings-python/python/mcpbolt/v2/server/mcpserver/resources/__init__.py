"""Resources of the high-level server. Models are loaded on first use.

Owns: which names are here. Must not know: what they do.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .....server._resource_security import DEFAULT_RESOURCE_SECURITY, ResourceSecurity, ResourceSecurityError
    from .base import Resource
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

# Under the alias, `__name__` is another.
_HERE = __name__
_POLICY = ".....server._resource_security"
_HOMES = {
    "DEFAULT_RESOURCE_SECURITY": _POLICY,
    "Resource": ".base",
    "ResourceManager": ".resource_manager",
    "ResourceSecurity": _POLICY,
    "ResourceSecurityError": _POLICY,
    "ResourceTemplate": ".templates",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES.get(name, ".types"), _HERE), name)
    globals()[name] = value
    return value
