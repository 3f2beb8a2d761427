"""The sessions of a session manager by id, as programs for the official package look for them.

Owns: which ids clients were given, and ending one session. Must not know: what a session is;
the engine has them and is asked which are open.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._asgi import Headers, Scope
    from ._endpoint import Endpoint

_SESSION_ID = b"mcp-session-id"
# How many ids may be kept beside those of open sessions before the others are forgotten.
_SPARE = 64


class Instance:
    """One session."""

    def __init__(self, endpoint: Endpoint, session_id: str, user: Any) -> None:
        self.mcp_session_id = session_id
        self._endpoint = endpoint
        self._user = user

    @property
    def is_terminated(self) -> bool:
        """Whether the session has ended."""
        return not self._endpoint.has_session(self.mcp_session_id)

    async def terminate(self) -> None:
        """End the session, as its client would."""
        if not self.is_terminated:
            await self._endpoint.end_session(self.mcp_session_id, self._user)


class Instances(MutableMapping[str, Any]):
    """The open sessions; each lookup asks the engine. What a program puts in is kept, too."""

    def __init__(self) -> None:
        self._given: dict[str, Any] = {}

    def seen(self, endpoint: Endpoint, scope: Scope, headers: Headers) -> Headers:
        """Look at the headers of an answer, which name a session that has begun."""
        for name, value in headers:
            if name == _SESSION_ID:
                session_id = value.decode("latin-1")
                if session_id not in self._given:
                    self._forget(endpoint)
                    self._given[session_id] = Instance(endpoint, session_id, scope.get("user"))
        return headers

    def _forget(self, endpoint: Endpoint) -> None:
        if len(self._given) > 2 * endpoint.sessions() + _SPARE:
            self._given = dict(self.items())

    @staticmethod
    def _is_open(instance: Any) -> bool:
        return not isinstance(instance, Instance) or not instance.is_terminated

    def __getitem__(self, session_id: str) -> Any:
        instance = self._given[session_id]
        if not self._is_open(instance):
            raise KeyError(session_id)
        return instance

    def __setitem__(self, session_id: str, instance: Any) -> None:
        self._given[session_id] = instance

    def __delitem__(self, session_id: str) -> None:
        del self._given[session_id]

    def __iter__(self) -> Iterator[str]:
        return iter([name for name, instance in list(self._given.items()) if self._is_open(instance)])

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self)} open)"
