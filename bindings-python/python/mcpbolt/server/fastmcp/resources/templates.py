"""Resources with parameters in their URI."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from pydantic import BaseModel, Field

from ....types import Annotations, Icon
from ..._error_responses import keeps_its_code
from ..utilities.context_injection import find_context_parameter, inject_context
from ..utilities.func_metadata import func_metadata
from .types import FunctionResource, call

if TYPE_CHECKING:
    from ..context import Context
    from .base import Resource


class ResourceTemplate(BaseModel):
    """A function that makes a resource from the parameters in its URI."""

    uri_template: str = Field(description="URI template with parameters (e.g. weather://{city}/current)")
    name: str = Field(description="Name of the resource")
    title: str | None = Field(default=None, description="Human-readable title of the resource")
    description: str | None = Field(description="Description of what the resource does")
    mime_type: str = Field(default="text/plain", description="MIME type of the resource content")
    icons: list[Icon] | None = Field(default=None, description="Optional list of icons for the resource template")
    annotations: Annotations | None = Field(default=None, description="Optional annotations for the resource template")
    meta: dict[str, Any] | None = Field(default=None, description="Optional metadata for this resource template")
    fn: Callable[..., Any] = Field(exclude=True)
    parameters: dict[str, Any] = Field(description="JSON schema for function parameters")
    context_kwarg: str | None = Field(None, description="Name of the kwarg that should receive context")

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
    ) -> ResourceTemplate:
        """Make a template from a function.

        Raises:
            ValueError: The function is a lambda and no name is given.
        """
        template_name = name or fn.__name__
        if template_name == "<lambda>":
            raise ValueError("You must provide a name for lambda functions")
        if context_kwarg is None:
            context_kwarg = find_context_parameter(fn)
        skipped = () if context_kwarg is None else (context_kwarg,)
        return cls(
            uri_template=uri_template,
            name=template_name,
            title=title,
            description=description or fn.__doc__ or "",
            mime_type=mime_type or "text/plain",
            icons=icons,
            annotations=annotations,
            meta=meta,
            fn=fn,
            parameters=func_metadata(fn, skip_names=skipped).input_schema(),
            context_kwarg=context_kwarg,
        )

    def matches(self, uri: str) -> dict[str, Any] | None:
        """The parameters in a URI; `None` if it does not match. The value of a parameter has
        no slash.
        """
        parts = re.split(r"\{(\w+)\}", self.uri_template)
        literals, names = map(re.escape, parts[::2]), parts[1::2]
        pattern = next(literals) + "".join(f"(?P<{name}>[^/]+){rest}" for name, rest in zip(names, literals))
        match = re.fullmatch(pattern, uri)
        return match.groupdict() if match else None

    async def create_resource(
        self, uri: str, params: dict[str, Any], context: Context[Any, Any, Any] | None = None
    ) -> Resource:
        """Make the resource for some parameters.

        Raises:
            ValueError: The function failed.
        """
        try:
            result = await call(self.fn, inject_context(self.fn, params, context, self.context_kwarg))
            return FunctionResource(
                uri=cast("Any", uri),
                name=self.name,
                title=self.title,
                description=self.description,
                mime_type=self.mime_type,
                icons=self.icons,
                annotations=self.annotations,
                meta=self.meta,
                fn=_returning(result),
            )
        except Exception as error:
            if keeps_its_code(error):
                raise
            raise ValueError(f"Error creating resource from template: {error}") from error


def _returning(result: Any) -> Callable[[], Any]:
    async def content() -> Any:
        return result

    return content
