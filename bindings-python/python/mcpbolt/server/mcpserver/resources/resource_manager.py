"""The resources and templates of a server of the 2.x kind.

Owns: the order in which they are tried, and what happens if a policy refuses a parameter.
Models are loaded when the resources are first listed or read.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from ...._common.resources.manager import BaseResourceManager
from ..._resource_security import DEFAULT_RESOURCE_SECURITY, ResourceSecurity, ResourceSecurityError
from ..._uri_spelling import as_model
from ..exceptions import ResourceNotFoundError

if TYPE_CHECKING:
    from pydantic import AnyUrl

    from ...._common.context import BaseContext
    from ...._common.resources.base import Resource
    from ....types import Annotations, Icon, InputRequiredResult
    from .templates import ResourceTemplate

__all__ = ["ResourceManager"]

logger: logging.Logger = logging.getLogger("mcp.server.mcpserver.resources.resource_manager")


class ResourceManager(BaseResourceManager["ResourceTemplate"]):
    """Resources by URI and templates by URI template, in order of registration.

    Args:
        warn_on_duplicate_resources: Whether registering a URI twice logs a warning; the first
            resource stays. Default: yes.
        security: Which values the parameters of templates may have. Default: values that could lead
            out of a folder are refused.
        resources: `Resource` objects to register from the start. Default: none.
    """

    logger: ClassVar[logging.Logger] = logger

    def __init__(
        self,
        warn_on_duplicate_resources: bool = True,
        security: ResourceSecurity | None = None,
        *,
        resources: list[Resource] | None = None,
    ) -> None:
        super().__init__(warn_on_duplicate_resources, security)
        for resource in resources or ():
            self.add_resource(resource)

    def _template_type(self) -> type[ResourceTemplate]:
        """What functions become; another line has its own."""
        from .templates import ResourceTemplate

        return ResourceTemplate

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
        security: ResourceSecurity | None = None,
    ) -> ResourceTemplate:
        """Register a function as a resource template. It replaces an earlier one with the same URI
        template.

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
            security: Which values the parameters may have. Default: the policy of the server.
        """
        template = self._template_type().from_function(
            fn,
            uri_template=uri_template,
            name=name,
            title=title,
            description=description,
            mime_type=mime_type,
            icons=icons,
            annotations=annotations,
            meta=meta,
            security=security or self.security or DEFAULT_RESOURCE_SECURITY,
        )
        self._all_templates[uri_template] = template
        return template

    async def get_resource(
        self, uri: AnyUrl | str, context: BaseContext | None = None
    ) -> Resource | InputRequiredResult:
        """Find the resource with a URI: a registered one, or one that the function of a template
        makes. If that function asks questions, its `InputRequiredResult` is returned.

        Args:
            uri: The URI of the resource.
            context: The context to pass to the function. Default: none.

        Raises:
            ResourceNotFoundError: There is no such resource, or a policy refuses a parameter.
            ResourceError: The function of the template raised it.
            UnexpectedResourceError: The function of the template failed in another way.
            MCPError: The function of the template raised it.
        """
        key = str(uri)
        logger.debug("Getting resource", extra={"uri": key})
        resource = self._resources.get(key) or self._resources.get(as_model(key))
        if resource is not None:
            return resource
        for template in self._templates.values():
            try:
                params = template.matches(key)
            except ResourceSecurityError as error:
                raise ResourceNotFoundError(f"Unknown resource: {key}") from error
            if params is not None:
                return await template.create_resource(key, params, context=context)
        raise ResourceNotFoundError(f"Unknown resource: {key}")
