"""Resources with parameters in their URI: templates of RFC 6570, with checked parameters.

Owns: matching a URI with a template, and the errors of its function. Must not know: the order
in which templates are tried.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, cast

from pydantic import Field, InstanceOf

from ...._common.functions.injection import inject_context
from ...._common.resources.kinds import call
from ...._common.resources.templates import BaseTemplate, returning
from ...._engine.questions import is_question
from ....shared.exceptions import McpError
from ....shared.uri_template import UriTemplate
from ....types import Annotations, Icon, InputRequiredResult
from ..._resource_security import DEFAULT_RESOURCE_SECURITY, ResourceSecurity, ResourceSecurityError
from ..exceptions import ResourceError, UnexpectedResourceError
from .types import FunctionResource

if TYPE_CHECKING:
    from ...._common.context import BaseContext
    from ...._common.resources.base import Resource

__all__ = ["DEFAULT_RESOURCE_SECURITY", "ResourceSecurity", "ResourceSecurityError", "ResourceTemplate"]


class ResourceTemplate(BaseTemplate):
    """A function that makes a resource from the parameters in its URI."""

    # What it makes; another line has its own.
    _resource_type: ClassVar[type[FunctionResource]] = FunctionResource

    parsed_template: InstanceOf[UriTemplate] = Field(exclude=True, description="Parsed RFC 6570 template")
    security: InstanceOf[ResourceSecurity] = Field(
        default=DEFAULT_RESOURCE_SECURITY, exclude=True, description="Path-safety policy for extracted parameters"
    )

    @classmethod
    def from_function(
        cls,
        fn: Callable[..., Any],
        uri_template: str,
        name: str | None = None,
        title: str | None = None,
        description: str | None = None,
        mime_type: str | None = None,
        icons: list[Icon] | None = None,
        annotations: Annotations | None = None,
        meta: dict[str, Any] | None = None,
        context_kwarg: str | None = None,
        security: ResourceSecurity = DEFAULT_RESOURCE_SECURITY,
    ) -> ResourceTemplate:
        """Make a template from a function.

        Args:
            fn: The function.
            uri_template: The URI with its parameters in braces.
            name: The name. Default: that of the function.
            title: The name to show to people. Default: none.
            description: A description. Default: the function's docstring.
            mime_type: The MIME type of the content. Default: `text/plain`.
            icons: Icons. Default: none.
            annotations: Hints for clients. Default: none.
            meta: The `_meta`. Default: none.
            context_kwarg: The parameter that gets the context. Default: the one annotated with
                `Context`.
            security: Which values the parameters may have. Default: values that could lead out of a
                folder are refused.

        Raises:
            InvalidUriTemplate: `uri_template` is not a valid template.
            ValueError: The function is a lambda and no name is given.
        """
        parsed = UriTemplate.parse(uri_template)
        shown: dict[str, Any] = {"title": title, "icons": icons, "annotations": annotations, "meta": meta}
        members = cls._members(fn, uri_template, name, description, mime_type, context_kwarg)
        return cls(**members, **shown, parsed_template=parsed, security=security)

    def matches(self, uri: str) -> dict[str, Any] | None:
        """The parameters in a URI; `None` if it does not match the template.

        Args:
            uri: The URI.

        Raises:
            ResourceSecurityError: `security` refuses the value of a parameter.
        """
        params = self.parsed_template.match(uri)
        refused = None if params is None else self.security.validate(params)
        if refused is not None:
            raise ResourceSecurityError(self.uri_template, refused)
        return params

    async def create_resource(
        self, uri: str, params: dict[str, Any], context: BaseContext | None = None
    ) -> Resource | InputRequiredResult:
        """Call the function and make a resource of its result. If the function asks questions, its
        `InputRequiredResult` is returned.

        Args:
            uri: The URI of the resource.
            params: The parameters from the URI, by name.
            context: The context to pass to the function. Default: none.

        Raises:
            ResourceError: The function raised it.
            UnexpectedResourceError: The function failed in another way.
            MCPError: The function raised it.
        """
        try:
            result = await call(self.fn, inject_context(self.fn, params, context, self.context_kwarg))
        except (McpError, ResourceError):
            raise
        except Exception as error:
            raise UnexpectedResourceError(f"Error creating resource from template {uri}") from error
        if is_question(result):
            return cast("InputRequiredResult", result)
        # The URI stays as requested: `AnyUrl` would change what the template matched.
        return self._resource_type.model_construct(
            uri=cast("Any", uri),
            name=self.name,
            title=self.title,
            description=self.description,
            mime_type=self.mime_type,
            icons=self.icons,
            annotations=self.annotations,
            meta=self.meta,
            fn=returning(result),
        )
