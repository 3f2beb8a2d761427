"""What the official client does with its options before there is a session, for programs that
make sessions themselves.

Owns: the extensions of a client in the shapes a session takes, a message handler that keeps a
cache true, and an answer for servers that were not asked. Must not know: clients.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import anyio.lowlevel

from ...client._extensions import Extensions

if TYPE_CHECKING:
    from ...client.session import MessageHandlerFnT
    from ..types import DiscoverResult
    from .caching import ClientResponseCache
    from .extension import ClientExtension, NotificationBinding, ResultClaim

logger: logging.Logger = logging.getLogger("client")


@dataclass(frozen=True)
class FoldedExtensions:
    """Extensions by what a session is told of them."""

    ad: dict[str, dict[str, Any]] | None = None
    claims: dict[str, tuple[ResultClaim[Any], ...]] | None = None
    bindings: tuple[NotificationBinding[Any], ...] | None = None
    by_model: Mapping[type[Any], ResultClaim[Any]] = field(default_factory=dict[type[Any], "ResultClaim[Any]"])


def fold_extensions(extensions: Sequence[ClientExtension] | None) -> FoldedExtensions:
    """Sort what extensions contribute.

    Raises:
        TypeError: A mapping was given, as earlier releases took it.
        ValueError: An extension has no identifier, or two have or claim the same.
    """
    if extensions is None:
        return FoldedExtensions()
    found = Extensions(extensions)
    if not extensions:
        return FoldedExtensions()
    claims: dict[str, tuple[Any, ...]] = {}
    for claim in found.claims.values():
        owner = found.owner_of(claim)
        claims[owner] = (*claims.get(owner, ()), claim)
    by_model: dict[type[Any], Any] = {claim.model: claim for claim in found.claims.values()}
    bindings: Any = tuple(found.bindings.values())
    return FoldedExtensions(found.shown, claims or None, bindings or None, by_model)


def evicting_message_handler(cache: ClientResponseCache, handler: MessageHandlerFnT | None) -> Any:
    """A message handler that first removes what a notification makes stale."""

    async def handle(message: Any) -> None:
        if not isinstance(message, Exception):
            try:
                await cache.evict_for_notification(message)
            except Exception:
                logger.exception("Response cache eviction failed; the notification is still delivered")
        if handler is not None:
            await handler(message)
        else:
            await anyio.lowlevel.checkpoint()

    return handle


def synthesize_discover(protocol_version: str) -> DiscoverResult:
    """The answer to `server/discover` of a server that is not asked: it has the revision."""
    from ..types import DiscoverResult, ServerCapabilities

    return DiscoverResult(
        supported_versions=[protocol_version],
        capabilities=ServerCapabilities(),
        result_type="complete",
        ttl_ms=0,
        cache_scope="public",
    )
