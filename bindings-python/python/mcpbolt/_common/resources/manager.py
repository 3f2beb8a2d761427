"""The resources and templates of a server.

Functions are registered without loading the models behind them; those are made when the
resources are first listed or read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..._error_responses import keeps_its_code
from .._registry import Registry
from ..exceptions import ResourceError
from ..utilities.logging import get_logger

if TYPE_CHECKING:
    from logging import Logger

    from pydantic import AnyUrl

    from ....types import Annotations, Icon
    from ..._resource_security import ResourceSecurity
    from ..context import Context
    from .base import Resource
    from .templates import ResourceTemplate

logger: Logger = get_logger("mcp.server.fastmcp.resources.resource_manager")


class ResourceManager:
    """Resources by URI and templates by URI template, in order of registration."""

    def __init__(self, warn_on_duplicate_resources: bool = True, security: ResourceSecurity | None = None) -> None:
        self.warn_on_duplicate_resources = warn_on_duplicate_resources
        # The policy for parameters of templates; `None` for no checks.
        self.security = security
        self._all_resources: Registry[Resource] = Registry()
        self._all_templates: Registry[ResourceTemplate] = Registry()
        self._deferred: list[Callable[[], object]] = []
        # Whether deferred resources are being registered, whose changes were reported before.
        self.is_loading: bool = False

    @property
    def is_deferred(self) -> bool:
        """Whether something was registered whose models are not made yet."""
        return bool(self._deferred)

    def defer(self, add: Callable[[], object], is_template: bool) -> None:
        """Register something later, by calling `add`."""
        self._deferred.append(add)
        (self._all_templates if is_template else self._all_resources).touch()

    def _load(self) -> None:
        if not self._deferred:
            return
        self.is_loading = True
        try:
            while self._deferred:
                self._deferred.pop(0)()
        finally:
            self.is_loading = False

    @property
    def _resources(self) -> Registry[Resource]:
        self._load()
        return self._all_resources

    @property
    def _templates(self) -> Registry[ResourceTemplate]:
        self._load()
        return self._all_templates

    def watch(self, resources_changed: Callable[[], None], templates_changed: Callable[[], None]) -> None:
        """Set the functions to call when resources or templates change."""
        self._all_resources.changed = resources_changed
        self._all_templates.changed = templates_changed

    def add_resource(self, resource: Resource) -> Resource:
        """Register a resource. If the URI is in use, the earlier one stays and a warning is
        logged.
        """
        key = str(resource.uri)
        existing = self._all_resources.get(key)
        if existing:
            if self.warn_on_duplicate_resources:
                logger.warning("Resource already exists: %s", resource.uri)
            return existing
        self._all_resources[key] = resource
        return resource

    def remove_resource(self, uri: str) -> None:
        """Remove a resource.

        Raises:
            ResourceError: There is no resource with that URI.
        """
        if uri not in self._resources:
            raise ResourceError(f"Unknown resource: {uri}")
        del self._resources[uri]

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
        """Register a function as a resource template."""
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
        self, uri: AnyUrl | str, context: Context[Any, Any, Any] | None = None
    ) -> Resource | None:
        """Find the resource with a URI, either registered or made by a template.

        Raises:
            McpError: The function of the template raised it.
            ValueError: There is no such resource, or the function failed.
        """
        from .._unknown import UnknownResourceError

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

    def list_resources(self) -> list[Resource]:
        """All registered resources."""
        return list(self._resources.values())

    def list_templates(self) -> list[ResourceTemplate]:
        """All registered resource templates."""
        return list(self._templates.values())

    def definitions(self, kind: str) -> list[Any]:
        """All resources, or all templates, as clients see them."""
        if not (self._resources if kind == "resources" else self._templates):
            return []
        from .._definitions import resource_definition, template_definition

        if kind == "resources":
            return [resource_definition(resource) for resource in self.list_resources()]
        return [template_definition(template) for template in self.list_templates()]


def _decoded(params: dict[str, str]) -> dict[str, str | list[str]]:
    """Decode parameters for the check of the policy: in 1.x, functions get them as they stand
    in the URI and may decode them themselves.
    """
    from urllib.parse import unquote

    return {name: [value, unquote(value)] for name, value in params.items()}
