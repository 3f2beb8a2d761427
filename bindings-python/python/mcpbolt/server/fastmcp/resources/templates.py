"""Resources with parameters in their URI."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

from ...._common.functions.injection import inject_context
from ...._common.resources.kinds import FunctionResource, call
from ...._common.resources.templates import BaseTemplate, returning
from ..._error_responses import keeps_its_code

if TYPE_CHECKING:
    from ...._common.context import BaseContext
    from .base import Resource


class ResourceTemplate(BaseTemplate):
    """A function that makes a resource from the parameters in its URI."""

    def matches(self, uri: str) -> dict[str, Any] | None:
        """The parameters in a URI; `None` if it does not match. The value of a parameter has
        no slash.

        Args:
            uri: The URI.
        """
        parts = re.split(r"\{(\w+)\}", self.uri_template)
        literals, names = map(re.escape, parts[::2]), parts[1::2]
        pattern = next(literals) + "".join(f"(?P<{name}>[^/]+){rest}" for name, rest in zip(names, literals))
        match = re.fullmatch(pattern, uri)
        return match.groupdict() if match else None

    async def create_resource(
        self, uri: str, params: dict[str, Any], context: BaseContext | None = None
    ) -> Resource:
        """Call the function and make a resource of its result.

        Args:
            uri: The URI of the resource.
            params: The parameters from the URI, by name.
            context: The context to pass to the function. Default: none.

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
                fn=returning(result),
            )
        except Exception as error:
            if keeps_its_code(error):
                raise
            raise ValueError(f"Error creating resource from template: {error}") from error
