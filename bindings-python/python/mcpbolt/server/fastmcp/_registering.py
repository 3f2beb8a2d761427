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
