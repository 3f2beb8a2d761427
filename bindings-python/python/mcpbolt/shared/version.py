"""The revisions that a handshake can agree on."""

from .._engine.protocol import LATEST_LEGACY, LEGACY_REVISIONS

LATEST_PROTOCOL_VERSION = LATEST_LEGACY
SUPPORTED_PROTOCOL_VERSIONS: list[str] = [*LEGACY_REVISIONS]
