"""A server's session with one client, as handlers of 2.x get it.

Owns: what 2.x calls differently. Must not know: how messages are carried.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from ..._engine import face
from ..._engine.json import model_dict
from ..._engine.protocol import MODERN_REVISIONS
from ..._engine.questions import quietly
from ...server.session import ServerSession as _ServerSession

if TYPE_CHECKING:
    from pydantic import BaseModel

    from ..types import ElicitResult, InitializeRequestParams, ListRootsResult, RequestId

__all__ = ["ServerSession"]

ModelT = TypeVar("ModelT", bound="BaseModel")


class ServerSession(_ServerSession):
    """A server's session with one client."""

    @property
    def _connection(self) -> Any:
        # Where programs look for what belongs to a connection.
        from .connection import connection_of

        return connection_of(self)

    @property
    def can_send_request(self) -> bool:
        """Whether the client can be asked while this request is answered."""
        return self.protocol_version not in MODERN_REVISIONS

    async def elicit(  # type: ignore[override]
        self, message: str, requested_schema: dict[str, Any], related_request_id: RequestId | None = None
    ) -> ElicitResult:
        """The same as `elicit_form`, under its older name."""
        return await self.elicit_form(message, requested_schema, related_request_id)

    async def elicit_form(  # type: ignore[override]
        self, message: str, requested_schema: dict[str, Any], related_request_id: RequestId | None = None
    ) -> ElicitResult:
        """Ask the user to fill in a form, described by a flat JSON Schema of primitive values."""
        from ..types import ElicitResult

        return as_model(ElicitResult, await super().elicit_form(message, requested_schema, related_request_id))

    async def elicit_url(  # type: ignore[override]
        self, message: str, url: str, elicitation_id: str, related_request_id: RequestId | None = None
    ) -> ElicitResult:
        """Ask the user to visit a URL, for data that must not pass through the client."""
        from ..types import ElicitResult

        return as_model(ElicitResult, await super().elicit_url(message, url, elicitation_id, related_request_id))

    async def list_roots(self) -> ListRootsResult:  # type: ignore[override]
        """Ask the client for the folders and files that the server may work on."""
        from ..types import ListRootsResult

        return as_model(ListRootsResult, await quietly(super().list_roots)())

    async def create_message(self, messages: Any, **options: Any) -> Any:
        """Ask the client for a message of its language model."""
        from .. import types

        given = {name: _below(value) for name, value in options.items()}
        # Programs are warned once, by the method that they call.
        found: Any = await quietly(super().create_message)(_below(messages), **given)
        name = "CreateMessageResultWithTools" if options.get("tools") else "CreateMessageResult"
        return as_model(getattr(types, name), found)

    @property
    def client_params(self) -> InitializeRequestParams | None:  # type: ignore[override]
        """The params with which the client opened the session. On the modern era they are made
        from the request being answered. `None` before the handshake.
        """
        from ..types import InitializeRequestParams

        found: Any = super().client_params
        return None if found is None else as_model(InitializeRequestParams, found)


def as_model(kind: type[ModelT], value: Any) -> ModelT:
    """A value as a model of 2.x, also if it is one of 1.x."""
    return value if isinstance(value, kind) else kind.model_validate(model_dict(value))


def _below(value: Any) -> Any:
    """Models as the layers below have them, which may be those of 1.x."""
    from ... import types

    if isinstance(value, list):
        return [_below(part) for part in value]  # pyright: ignore
    kind: Any = getattr(types, type(value).__name__, None) if hasattr(value, "model_dump") else None
    return value if kind is None or isinstance(value, kind) else kind.model_validate(model_dict(value))


face.current.shape(ServerSession)
