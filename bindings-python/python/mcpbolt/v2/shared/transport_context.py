"""What a transport knows of a message, for code that is told so.

Owns: its members. Must not know: any transport.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["TransportContext"]


@dataclass(kw_only=True, frozen=True)
class TransportContext:
    """What a transport knows of one message. Transports with more to say derive from it."""

    kind: str
    """Which transport it is, such as `stdio` or `streamable-http`."""
    can_send_request: bool
    """Whether a request to the other side can be sent while this message is handled."""
    headers: Mapping[str, str] | None = None
    """The headers of the request, over HTTP."""
