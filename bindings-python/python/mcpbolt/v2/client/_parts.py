"""The extensions of a session, as a program names their parts.

Owns: making them one, and which notifications are never theirs. Must not know: sessions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...client._extensions import Extensions
from ...client.extension import ClientExtension

if TYPE_CHECKING:
    from .extension import NotificationBinding, ResultClaim


def folded(
    extensions: Mapping[str, dict[str, Any]] | None,
    claims: Mapping[str, Sequence[ResultClaim[Any]]] | None,
    bindings: Sequence[NotificationBinding[Any]] | None,
) -> Extensions:
    """The extensions of a session from what its constructor is told.

    Raises:
        ValueError: A claim without its extension, an empty list of claims, or a name twice.
    """
    shown = dict(extensions or {})
    claimed = dict(claims or {})
    for identifier, those in claimed.items():
        if identifier not in shown:
            raise ValueError(f"result_claims key {identifier!r} has no extensions entry: add it to extensions")
        if not those:
            raise ValueError(f"result_claims[{identifier!r}] is empty: leave the key out")
    tags = [claim.result_type for those in claimed.values() for claim in those]
    twice = next((tag for tag in tags if tags.count(tag) > 1), None)
    if twice is not None:
        raise ValueError(f"duplicate result claim for resultType {twice!r}")
    methods = [binding.method for binding in bindings or ()]
    twice = next((method for method in methods if methods.count(method) > 1), None)
    if twice is not None:
        raise ValueError(f"duplicate notification binding for method {twice!r}")
    made = Extensions([_Given(identifier, said, claimed.get(identifier, ())) for identifier, said in shown.items()])
    made.bindings.update({binding.method: binding for binding in bindings or ()})
    return made


def is_of_server(method: str, revision: str) -> bool:
    """Whether the protocol itself has a notification of servers, at a revision."""
    from ..types.methods import SERVER_NOTIFICATIONS

    return (method, revision) in SERVER_NOTIFICATIONS


class _Given(ClientExtension):
    """An extension of which a program names the parts."""

    def __init__(self, identifier: str, said: dict[str, Any], claims: Sequence[ResultClaim[Any]]) -> None:
        self.identifier = identifier
        self._said, self._claims = said, claims

    def settings(self) -> dict[str, Any]:
        return self._said

    def claims(self) -> Sequence[ResultClaim[Any]]:
        return self._claims
