"""Resources with parameters in their URI.

Owns: the members of a template, and reading them off a function. Must not know: which URIs
match, and what errors become; each line has its own rules.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Field

from ...types import Annotations, Icon
from ..functions.injection import find_context_parameter
from ..functions.metadata import func_metadata
from ..functions.names import named

if TYPE_CHECKING:
    from typing_extensions import Self


class BaseTemplate(BaseModel):
    """A function that makes a resource from the parameters in its URI."""

    uri_template: str = Field(description="URI template with parameters (e.g. weather://{city}/current)")
    """The URI with its parameters in braces."""
    name: str = Field(description="Name of the resource")
    """The template's name."""
    title: str | None = Field(default=None, description="Human-readable title of the resource")
    """The name to show to people. Default: none."""
    description: str | None = Field(description="Description of what the resource does")
    """What the resources are; `None` without a description."""
    mime_type: str = Field(default="text/plain", description="MIME type of the resource content")
    """The MIME type of the content. Default: `text/plain`."""
    icons: list[Icon] | None = Field(default=None, description="Optional list of icons for the resource template")
    """Icons for the template. Default: none."""
    annotations: Annotations | None = Field(default=None, description="Optional annotations for the resource template")
    """Hints for clients: audience, priority, last change. Default: none."""
    meta: dict[str, Any] | None = Field(default=None, description="Optional metadata for this resource template")
    """The `_meta` of the template. Default: none."""
    fn: Callable[..., Any] = Field(exclude=True)
    """The function that makes the content."""
    parameters: dict[str, Any] = Field(description="JSON schema for function parameters")
    """The JSON Schema of the function's parameters."""
    context_kwarg: str | None = Field(None, description="Name of the kwarg that should receive context")
    """The function's parameter that gets the context; `None` without one."""

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
    ) -> Self:
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

        Raises:
            ValueError: The function is a lambda and no name is given.
        """
        shown: dict[str, Any] = {"title": title, "icons": icons, "annotations": annotations, "meta": meta}
        return cls(**cls._members(fn, uri_template, name, description, mime_type, context_kwarg), **shown)

    @staticmethod
    def _members(
        fn: Callable[..., Any],
        uri_template: str,
        name: str | None,
        description: str | None,
        mime_type: str | None,
        context_kwarg: str | None,
    ) -> dict[str, Any]:
        """The members that depend on the function."""
        template_name = named(name or fn.__name__)
        if context_kwarg is None:
            context_kwarg = find_context_parameter(fn)
        skipped = () if context_kwarg is None else (context_kwarg,)
        return {
            "uri_template": uri_template,
            "name": template_name,
            "description": description or fn.__doc__ or "",
            "mime_type": mime_type or "text/plain",
            "fn": fn,
            "parameters": func_metadata(fn, skip_names=skipped, structured_output=False).input_schema(),
            "context_kwarg": context_kwarg,
        }


def returning(result: Any) -> Callable[[], Any]:
    """An async function that returns this value."""
    async def content() -> Any:
        return result

    return content
