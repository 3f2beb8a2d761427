"""`mcp_types.version`: the revisions of the protocol, and how they are ordered.

Owns: the names 2.x has for them. Must not know: what a revision has.
"""

from typing import Final

from ..._engine.protocol import LATEST_LEGACY, LATEST_MODERN, LEGACY_REVISIONS, MODERN_REVISIONS

__all__ = [
    "HANDSHAKE_PROTOCOL_VERSIONS",
    "KNOWN_PROTOCOL_VERSIONS",
    "LATEST_HANDSHAKE_VERSION",
    "LATEST_MODERN_VERSION",
    "LATEST_PROTOCOL_VERSION",
    "MODERN_PROTOCOL_VERSIONS",
    "OLDEST_SUPPORTED_VERSION",
    "SUPPORTED_PROTOCOL_VERSIONS",
    "is_version_at_least",
]

HANDSHAKE_PROTOCOL_VERSIONS: Final[tuple[str, ...]] = LEGACY_REVISIONS
"""The revisions that open with `initialize`, oldest first."""
MODERN_PROTOCOL_VERSIONS: Final[tuple[str, ...]] = MODERN_REVISIONS
"""The revisions without a handshake, oldest first."""
KNOWN_PROTOCOL_VERSIONS: Final[tuple[str, ...]] = (*LEGACY_REVISIONS, *MODERN_REVISIONS)
"""All revisions, oldest first."""
SUPPORTED_PROTOCOL_VERSIONS: Final[tuple[str, ...]] = KNOWN_PROTOCOL_VERSIONS
"""All revisions, under their name in 1.x."""
LATEST_PROTOCOL_VERSION: Final[str] = LATEST_MODERN
"""The newest revision."""
LATEST_HANDSHAKE_VERSION: Final[str] = LATEST_LEGACY
"""The newest revision that opens with `initialize`."""
LATEST_MODERN_VERSION: Final[str] = LATEST_MODERN
"""The newest revision without a handshake."""
OLDEST_SUPPORTED_VERSION: Final[str] = LEGACY_REVISIONS[0]
"""The oldest revision."""


def is_version_at_least(version: str, minimum: str) -> bool:
    """Whether a revision is as new as another. One that is not known is not.

    Args:
        version: The revision.
        minimum: The revision to compare it with.

    Raises:
        ValueError: `minimum` is not a known revision.
    """
    if minimum not in KNOWN_PROTOCOL_VERSIONS:
        raise ValueError(f"minimum must be a known protocol version, got {minimum!r}")
    known = KNOWN_PROTOCOL_VERSIONS
    return version in known[known.index(minimum) :]
