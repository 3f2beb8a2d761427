"""What handlers of the low-level server may return besides the protocol's types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass
class ReadResourceContents:
    """One part of a resource's content: text or bytes, and its MIME type."""

    content: str | bytes
    """The text or the bytes of the resource."""
    mime_type: str | None = None
    """The MIME type of the content; `None` for `text/plain` or `application/octet-stream`."""
    meta: dict[str, Any] | None = None
    """The `_meta` of the content, if any."""
