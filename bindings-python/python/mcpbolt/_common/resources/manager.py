"""The resources and templates of a server.

Owns: registering and listing them. Must not know: in which order templates are tried, and what
errors become; each line has its own rules.

Functions are registered without loading the models behind them; those are made when the
resources are first listed or read.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from ...server._exceptions import ResourceError
from ..registry import Registry

if TYPE_CHECKING:
    from pydantic import AnyUrl

    from ...server._resource_security import ResourceSecurity
    from ..context import BaseContext
    from .base import Resource
    from .templates import BaseTemplate

TemplateT = TypeVar("TemplateT", bound="BaseTemplate")


class BaseResourceManager(Generic[TemplateT]):
    """Resources by URI and templates by URI template, in order of registration.

    Args:
        warn_on_duplicate_resources: Whether registering a URI twice logs a warning; the first
            resource stays. Default: yes.
        security: Which values the parameters of templates may have; `None` for any. Default: none.
    """

    logger: ClassVar[logging.Logger]

    def __init__(self, warn_on_duplicate_resources: bool = True, security: ResourceSecurity | None = None) -> None:
        self.warn_on_duplicate_resources = warn_on_duplicate_resources
        # The policy for parameters of templates; `None` for no checks.
        self.security = security
        self._all_resources: Registry[Resource] = Registry()
        self._all_templates: Registry[TemplateT] = Registry()
        self._deferred: list[Callable[[], object]] = []
        # Whether deferred resources are being registered, whose changes were reported before.
        self.is_loading: bool = False

    @property
    def is_deferred(self) -> bool:
        """Whether something was registered whose models are not made yet."""
        return bool(self._deferred)

    def defer(self, add: Callable[[], object], is_template: bool) -> None:
        """Register something later, by calling `add`.

        Args:
            add: Registers it.
            is_template: Whether it is a template.
        """
        self._deferred.append(add)
        (self._all_templates if is_template else self._all_resources).touch()

    def register(self, add: Callable[[], object]) -> None:
        """Register something now, after everything that waits for that.

        Args:
            add: Registers it.
        """
        self._load()
        add()

    def _load(self) -> None:
        if not self._deferred or self.is_loading:
            return
        self.is_loading = True
        try:
            while self._deferred:
                # Kept until it is done: what fails does not vanish.
                self._deferred[0]()
                del self._deferred[0]
        finally:
            self.is_loading = False

    @property
    def _resources(self) -> Registry[Resource]:
        self._load()
        return self._all_resources

    @property
    def _templates(self) -> Registry[TemplateT]:
        self._load()
        return self._all_templates

    def watch(self, resources_changed: Callable[[], None], templates_changed: Callable[[], None]) -> None:
        """Set the functions to call when resources or templates change.

        Args:
            resources_changed: Called when resources change.
            templates_changed: Called when templates change.
        """
        self._all_resources.changed = resources_changed
        self._all_templates.changed = templates_changed

    def add_resource(self, resource: Resource) -> Resource:
        """Register a resource. If the URI is in use, the earlier one stays and a warning is
        logged.

        Args:
            resource: The resource.
        """
        if not self.is_loading:
            # Functions that were registered before it come first.
            self._load()
        logger = self.logger if self.warn_on_duplicate_resources else None
        return self._all_resources.register(str(resource.uri), resource, "Resource", logger)

    def remove_resource(self, uri: str) -> None:
        """Remove a resource.

        Args:
            uri: The URI of the resource.

        Raises:
            ResourceError: There is no resource with that URI.
        """
        self._resources.unregister(uri, ResourceError(f"Unknown resource: {uri}"))

    def add_template(self, fn: Callable[..., Any], uri_template: str, *args: Any, **members: Any) -> TemplateT:
        """Register a function as a resource template.

        Args:
            fn: The function.
            uri_template: The URI with its parameters in braces.
            *args: The other arguments of `from_function`, in its order.
            **members: The other arguments of `from_function`, by name.
        """
        raise NotImplementedError

    async def get_resource(self, uri: AnyUrl | str, context: BaseContext | None = None) -> Any:
        """Find the resource with a URI, either registered or made by a template.

        Args:
            uri: The URI of the resource.
            context: The context to pass to the function. Default: none.

        Raises:
            ValueError: There is no such resource.
        """
        raise NotImplementedError

    def list_resources(self) -> list[Resource]:
        """All registered resources."""
        return list(self._resources.values())

    def list_templates(self) -> list[TemplateT]:
        """All registered resource templates."""
        return list(self._templates.values())

    def definitions(self, kind: str) -> list[dict[str, Any]]:
        """All resources, or all templates, as clients see them.

        Args:
            kind: `resources` or `resourceTemplates`.
        """
        if not (self._resources if kind == "resources" else self._templates):
            return []
        from .definitions import resource_definition, template_definition

        if kind == "resources":
            return [resource_definition(resource) for resource in self.list_resources()]
        return [template_definition(template) for template in self.list_templates()]
