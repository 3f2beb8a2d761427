"""Resources of the high-level server. Models are loaded on first use."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .base import Resource
    from .resource_manager import ResourceManager
    from .templates import ResourceTemplate
    from .types import BinaryResource, DirectoryResource, FileResource, FunctionResource, HttpResource, TextResource

__all__ = [
    "BinaryResource",
    "DirectoryResource",
    "FileResource",
    "FunctionResource",
    "HttpResource",
    "Resource",
    "ResourceManager",
    "ResourceTemplate",
    "TextResource",
]

_HOMES = {"Resource": "base", "ResourceManager": "resource_manager", "ResourceTemplate": "templates"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_HOMES.get(name, 'types')}", __name__), name)
    globals()[name] = value
    return value
