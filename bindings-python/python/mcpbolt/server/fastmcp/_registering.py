"""Registering functions as resources of a 1.x server.

Owns: this part of its class. Must not know: how resources are read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from ..._common.checks import refuse_bare
from ..._common.server import HighLevelServer, LifespanResultT
from ._checks import is_template

if TYPE_CHECKING:
    from ...types import Annotations, Icon

F = TypeVar("F", bound=Callable[..., Any])


class Registering(HighLevelServer[LifespanResultT]):
    """The part of `FastMCP` that registers resources."""

    def resource(
        self,
        uri: str,
        *,
        name: str | None = None,
        title: str | None = None,
        description: str | None = None,
        mime_type: str | None = None,
        icons: list[Icon] | None = None,
        annotations: Annotations | None = None,
        meta: dict[str, Any] | None = None,
    ) -> Callable[[F], F]:
        """Decorator that registers a function as a resource.

        If the URI has parameters, as in `weather://{city}`, it becomes a template; the
        function must have the same parameters. It returns text, bytes, or any value that can
        be written as JSON.

        Args:
            uri: The URI, such as `config://units`; with parameters in braces, a template.
            name: The resource's name. Default: the name of the function.
            title: The name to show to people. Default: none.
            description: What the resource is. Default: the function's docstring.
            mime_type: The MIME type of the content. Default: `text/plain`.
            icons: Icons for the resource. Default: none.
            annotations: Hints for clients: audience, priority, last change. Default: none.
            meta: The `_meta` of the resource. Default: none.

        Raises:
            ValueError: The function's parameters differ from those of the URI, the function is a
                lambda and no name is given, or something is not valid, such as the MIME type.
            TypeError: The decorator is used without parentheses.

        Example:
            ```python
            @mcp.resource("weather://{city}")
            def weather(city: str) -> str:
                "The weather in a city."
                return f"It rains in {city}."
            ```
        """
        refuse_bare(uri, "resource", "resource('uri')")
        more: dict[str, Any] = {
            "name": name,
            "title": title,
            "description": description,
            "mime_type": mime_type,
            "icons": icons,
            "annotations": annotations,
            "meta": meta,
        }

        def decorator(fn: F) -> F:
            self._register_resource(fn, uri, more, is_template(fn, uri))
            return fn

        return decorator
