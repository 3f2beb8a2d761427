"""The resources and templates of a server.

Owns: the order in which they are tried, and the parameters that functions of templates get.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from ...._common.resources.manager import BaseResourceManager
from ..._error_responses import UnknownResourceError, keeps_its_code

if TYPE_CHECKING:
    from pydantic import AnyUrl

    from ...._common.context import BaseContext
    from ....types import Annotations, Icon
    from .base import Resource
    from .templates import ResourceTemplate

logger: logging.Logger = logging.getLogger("mcp.server.fastmcp.resources.resource_manager")


class ResourceManager(BaseResourceManager["ResourceTemplate"]):
    """Resources by URI and templates by URI template, in order of registration."""

    logger: ClassVar[logging.Logger] = logger

    def add_template(
        self,
        fn: Callable[..., Any],
        uri_template: str,
        name: str | None = None,
        title: str | None = None,
        description: str | None = None,
        mime_type: str | None = None,
        icons: list[Icon] | None = None,
        annotations: Annotations | None = None,
        meta: dict[str, Any] | None = None,
    ) -> ResourceTemplate:
        """Register a function as a resource template.

        Args:
            fn: The function.
            uri_template: The URI with its parameters in braces.
            name: The template's name. Default: the name of the function.
            title: The name to show to people. Default: none.
            description: What the resources are. Default: the function's docstring.
            mime_type: The MIME type of the content. Default: `text/plain`.
            icons: Icons for the template. Default: none.
            annotations: Hints for clients. Default: none.
            meta: The `_meta` of the template. Default: none.
        """
        from .templates import ResourceTemplate

        template = ResourceTemplate.from_function(
            fn,
            uri_template=uri_template,
            name=name,
            title=title,
            description=description,
            mime_type=mime_type,
            icons=icons,
            annotations=annotations,
            meta=meta,
        )
        self._all_templates[uri_template] = template
        return template

    async def get_resource(
        self, uri: AnyUrl | str, context: BaseContext | None = None
    ) -> Resource | None:
        """Find the resource with a URI, either registered or made by a template.

        Args:
            uri: The URI of the resource.
            context: The context to pass to the function. Default: none.

        Raises:
            McpError: The function of the template raised it.
            ValueError: There is no such resource, or the function failed.
        """
        key = str(uri)
        logger.debug("Getting resource", extra={"uri": key})
        if resource := self._resources.get(key):
            return resource
        for template in self._templates.values():
            if params := template.matches(key):
                if self.security is not None and self.security.validate(_decoded(params)) is not None:
                    raise UnknownResourceError(key)
                try:
                    return await template.create_resource(key, params, context=context)
                except Exception as error:
                    if keeps_its_code(error):
                        raise
                    raise ValueError(f"Error creating resource from template: {error}") from error
        raise UnknownResourceError(key)


def _decoded(params: dict[str, str]) -> dict[str, str | list[str]]:
    """Decode parameters for the check of the policy: in 1.x, functions get them as they stand
    in the URI and may decode them themselves.
    """
    from urllib.parse import unquote

    return {name: [value, unquote(value)] for name, value in params.items()}
