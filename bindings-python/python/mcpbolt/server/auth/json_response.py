"""A JSON response that is a model."""

from __future__ import annotations

from typing import Any

from starlette.responses import JSONResponse


class PydanticJSONResponse(JSONResponse):
    """Writes a pydantic model, absent members left out: `json.dumps` knows no URLs."""

    def render(self, content: Any) -> bytes:
        """The model as the bytes of the response body."""
        text: str = content.model_dump_json(exclude_none=True)
        return text.encode()
