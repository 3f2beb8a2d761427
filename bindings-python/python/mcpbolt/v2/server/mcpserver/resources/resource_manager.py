"""All resources and templates.

Owns: which templates functions become. Must not know: how they are found. Models are loaded when
the resources are first listed or read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .....server.mcpserver.resources.resource_manager import ResourceManager as _ResourceManager

if TYPE_CHECKING:
    from .....server.mcpserver.resources.templates import ResourceTemplate as AnyTemplate

__all__ = ["ResourceManager"]


class ResourceManager(_ResourceManager):
    """Resources by URI and templates by URI template, in order of registration.

    Args:
        warn_on_duplicate_resources: Whether registering a URI twice logs a warning; the first
            resource stays. Default: yes.
        security: Which values the parameters of templates may have. Default: values that could lead
            out of a folder are refused.
        resources: `Resource` objects to register from the start. Default: none.
    """

    def _template_type(self) -> type[AnyTemplate]:
        from .templates import ResourceTemplate

        return ResourceTemplate
