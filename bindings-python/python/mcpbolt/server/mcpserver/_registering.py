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
        """Decorator that registers a function as a resource.

        A URI with parameters in braces is a template (RFC 6570), such as `file://docs/{+path}` or
        `logs://{service}{?level}`; the function must have the same parameters, and defaults for
        those in a query. The function returns text, bytes, or any value that can be written as
        JSON.

        Args:
            uri: The URI, such as `config://units`, or a template.
            name: The resource's name. Default: the name of the function.
            title: The name to show to people. Default: none.
            description: What the resource is. Default: the function's docstring.
            mime_type: The MIME type of the content. Default: `text/plain`.
            icons: Icons for the resource. Default: none.
            annotations: Hints for clients: audience, priority, last change. Default: none.
            meta: The `_meta` of the resource. Default: none.
            security: Which values the parameters of the template may have. Default: the
                `resource_security` of the server.

        Raises:
            InvalidUriTemplate: `uri` has braces but is not a valid template.
            ValueError: The function's parameters differ from those of the URI, one in a query has no
                default, a function of a URI without parameters has a `Context`, or something is not
                valid, such as the MIME type.
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
