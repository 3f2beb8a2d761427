"""Forms and refusals of an authorization server's endpoints.

Owns: what of a form the engine is given, and its answers as responses. Must not know: which
requests are refused, and with which status.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from starlette.responses import Response

from ..._engine.json import dumps
from ...shared._authorization import decide


class _Refusal(Protocol):
    @property
    def error(self) -> str: ...
    @property
    def error_description(self) -> str | None: ...


def texts(form: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a form; a file is none of the texts that are expected."""
    return {name: value if isinstance(value, str) else {} for name, value in form.items()}


def refusal(endpoint: str, refused: _Refusal, state: str | None = None) -> Response:
    """The response to a refused request."""
    error, description = refused.error, refused.error_description
    told = decide("refusal_answer", endpoint=endpoint, error=error, error_description=description, state=state)
    return _response(told)


def unproved(endpoint: str, why: str) -> Response:
    """The response to a client that has not proved itself."""
    return _response(decide("unproved_answer", endpoint=endpoint, error_description=why))


def _response(answer: dict[str, Any]) -> Response:
    body, headers = dumps(answer["body"]), answer["headers"]
    return Response(body, status_code=answer["status"], headers=headers, media_type="application/json")
