"""A JSON response with a pydantic model as its content."""

from __future__ import annotations

from typing import Any

from starlette.responses import JSONResponse


class PydanticJSONResponse(JSONResponse):
    """Writes a pydantic model without its unset members; `json.dumps` could not write URLs."""

    def render(self, content: Any) -> bytes:
        """The model as the bytes of the response body.

        Args:
            content: The model.
        """
        text: str = content.model_dump_json(exclude_none=True)
        return text.encode()
