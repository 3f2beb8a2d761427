"""The metadata documents of an authorization server and a resource (RFC 8414, RFC 9728)."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from ....shared.auth import OAuthMetadata, ProtectedResourceMetadata
from ..json_response import PydanticJSONResponse

_AN_HOUR = {"Cache-Control": "public, max-age=3600"}


def _document(metadata: BaseModel) -> Response:
    return PydanticJSONResponse(content=metadata, headers=_AN_HOUR)


@dataclass
class MetadataHandler:
    """Serves the metadata of an authorization server."""

    metadata: OAuthMetadata
    """The metadata."""

    async def handle(self, request: Request) -> Response:
        """The metadata, cacheable for an hour.

        Args:
            request: The Starlette request.
        """
        return _document(self.metadata)


@dataclass
class ProtectedResourceMetadataHandler:
    """Serves the metadata of a resource server."""

    metadata: ProtectedResourceMetadata
    """The metadata."""

    async def handle(self, request: Request) -> Response:
        """The metadata, cacheable for an hour.

        Args:
            request: The Starlette request.
        """
        return _document(self.metadata)
