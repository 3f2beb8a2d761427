"""Resources with parameters in their URI.

Owns: that they make resources of 2.x. Must not know: how a URI is matched. Its annotations are
evaluated at once, see `_naming`.
"""

from typing import ClassVar

from pydantic import Field

from .....server._resource_security import DEFAULT_RESOURCE_SECURITY, ResourceSecurity, ResourceSecurityError
from .....server.mcpserver.resources.templates import ResourceTemplate as _ResourceTemplate
from .....server.mcpserver.resources.types import FunctionResource as AnyFunctionResource
from ....types import Annotations, Icon
from .types import FunctionResource

__all__ = ["DEFAULT_RESOURCE_SECURITY", "ResourceSecurity", "ResourceSecurityError", "ResourceTemplate"]


class ResourceTemplate(_ResourceTemplate):
    """A function that makes a resource from the parameters in its URI."""

    _resource_type: ClassVar[type[AnyFunctionResource]] = FunctionResource

    icons: list[Icon] | None = Field(  # type: ignore[assignment]  # pyright: ignore[reportIncompatibleVariableOverride]
        default=None, description="Optional list of icons for the resource template"
    )
    """Icons for the template. Default: none."""
    annotations: Annotations | None = Field(  # type: ignore[assignment]  # pyright: ignore[reportIncompatibleVariableOverride]
        default=None, description="Optional annotations for the resource template"
    )
    """Hints for clients: audience, priority, last change. Default: none."""
