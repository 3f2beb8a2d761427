"""Registering functions as resources of a 2.x server.

Owns: this part of its class. Must not know: how resources are read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from ..._common.checks import refuse_bare
from ..._common.server import HighLevelServer, LifespanResultT

if TYPE_CHECKING:
    from ... import types
    from .._resource_security import ResourceSecurity

F = TypeVar("F", bound=Callable[..., Any])


class Registering(HighLevelServer[LifespanResultT]):
    """The part of `MCPServer` that registers resources."""

    def resource(
        self,
        uri: str,
        *,
        name: str | None = None,
        title: str | None = None,
        description: str | None = None,
        mime_type: str | None = None,
        icons: list[types.Icon] | None = None,
        annotations: types.Annotations | None = None,
        meta: dict[str, Any] | None = None,
        security: ResourceSecurity | None = None,
    ) -> Callable[[F], F]:
        """Decorator that registers a function as a resource; see `FastMCP.resource`.

        A URI with parameters is a template of RFC 6570: `file://docs/{+path}`,
        `logs://{service}{?level}`. Parameters in a query need defaults.

        Args:
            uri: The URI or template.
            name: The resource's name. Default: the name of the function.
            title: The name to show to people.
            description: What the resource is. Default: the function's docstring.
            mime_type: The MIME type of the content.
            icons: Icons for the resource.
            annotations: Hints for clients.
            meta: The `_meta` of the resource.
            security: The policy for parameters of the template. Default: that of the server.

        Raises:
            InvalidUriTemplate: `uri` has braces but is not a valid template.
            ValueError: The function's parameters differ from those of the URI.
            TypeError: The decorator is used without parentheses.

        Example:
            ```python
            @mcp.resource("logs://{service}{?level}")
            def logs(service: str, level: str = "info") -> str:
                "The log of a service."
                return f"nothing at {level} from {service}"
            ```
        """
        from .resources._checks import check, parsed

        refuse_bare(uri, "resource", "resource('uri')")
        template = parsed(uri)
        more: dict[str, Any] = {"name": name, "title": title, "description": description, "mime_type": mime_type}
        more.update(icons=icons, annotations=annotations, meta=meta)

        def decorator(fn: F) -> F:
            check(fn, uri, template)
            if template is None:
                self._register_resource(fn, uri, more, False)
            else:
                self._register_resource(fn, uri, {**more, "security": security}, True)
            return fn

        return decorator
