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

    from ..types import ClientCapabilities, ElicitResult, InitializeRequestParams, ListRootsResult, RequestId
    from .connection import Connection

__all__ = ["ServerSession"]

ModelT = TypeVar("ModelT", bound="BaseModel")


class ServerSession(_ServerSession):
    """A server's session with one client, as handlers get it.

    A session that a program makes itself, usually in tests, sends its messages to the objects that
    it is given.

    Args:
        request_outbound: Sends the messages that belong to the request.
        connection: The connection to the client; sends all other messages.
        request_meta: Ignored. Default: none.
    """

    _given: Connection | None = None
    _outbound: Any = None

    def __init__(self, request_outbound: Any, connection: Connection, *, request_meta: Any = None) -> None:
        del request_meta
        self._outbound, self._given = request_outbound, connection

    @property
    def _connection(self) -> Any:
        # Where programs look for what belongs to a connection.
        from .connection import connection_of

        return connection_of(self) if self._given is None else self._given

    @property
    def can_send_request(self) -> bool:
        """Whether the server can send the client requests of its own: yes in sessions (up to
        2025-11-25), no in 2026-07-28.
        """
        if self._outbound is not None:
            return bool(self._outbound.can_send_request)
        return self.protocol_version not in MODERN_REVISIONS

    @property
    def client_capabilities(self) -> ClientCapabilities | None:  # type: ignore[override]
        """The capabilities that the client declared; `None` before the handshake."""
        if self._given is not None:
            return self._given.client_capabilities
        found: Any = super().client_capabilities
        capabilities: ClientCapabilities | None = found
        return capabilities

    @property
    def protocol_version(self) -> str | None:
        """The protocol revision of the session or, without sessions (2026-07-28), of the request being
        answered; `None` before the handshake.
        """
        return super().protocol_version if self._given is None else self._given.protocol_version

    def check_client_capability(self, capability: Any) -> bool:
        """Whether the client declared a capability, including all members that are set in it.

        Args:
            capability: The capabilities that are needed, such as
                `ClientCapabilities(sampling=SamplingCapability())`.
        """
        if self._given is not None:
            return self._given.check_capability(capability)
        return super().check_client_capability(capability)

    async def send_request(
        self,
        request: Any,
        result_type: Any,
        request_read_timeout_seconds: Any = None,
        metadata: Any = None,
        progress_callback: Any = None,
    ) -> Any:
        """Send a request to the client and wait for its result.

        Args:
            request: The request.
            result_type: The model of the result.
            request_read_timeout_seconds: Longest wait for the answer, in seconds or as `timedelta`.
                Default: that of the session.
            metadata: Metadata for the transport, such as the request that the message belongs to.
                Default: none.
            progress_callback: Async function that is called with `progress`, `total` and `message`
                of each progress report. Default: no reports are asked for.
        """
        if self._given is None:
            return await super().send_request(
                request, result_type, request_read_timeout_seconds, metadata, progress_callback
            )
        opts: Any = {"timeout": request_read_timeout_seconds, "on_progress": progress_callback}
        opts = {name: value for name, value in opts.items() if value is not None}
        message = model_dict(request)
        way = self._outbound if getattr(metadata, "related_request_id", None) is not None else self._given.outbound
        return result_type.model_validate(
            await way.send_raw_request(message["method"], message.get("params"), opts or None)
        )

    async def send_notification(self, notification: Any, related_request_id: RequestId | None = None) -> None:
        """Send a notification to the client.

        Args:
            notification: The notification.
            related_request_id: The id of the client's request on whose stream to send the message.
                Default: none.
        """
        if self._given is None:
            await super().send_notification(notification, related_request_id)
            return
        message = model_dict(notification)
        way = self._outbound if related_request_id is not None else self._given.outbound
        await way.notify(message["method"], message.get("params"))

    async def elicit(  # type: ignore[override]
        self, message: str, requested_schema: dict[str, Any], related_request_id: RequestId | None = None
    ) -> ElicitResult:
        """The same as `elicit_form`, under its older name.

        Args:
            message: The question, as shown to the user.
            requested_schema: The JSON Schema of the form: an object whose properties are texts,
                numbers, booleans or choices.
            related_request_id: The id of the client's request on whose stream to send the message.
                Default: none.
        """
        return await self.elicit_form(message, requested_schema, related_request_id)

    async def elicit_form(  # type: ignore[override]
        self, message: str, requested_schema: dict[str, Any], related_request_id: RequestId | None = None
    ) -> ElicitResult:
        """Ask the user to fill in a form, described by a flat JSON Schema of primitive values.

        Args:
            message: The question, as shown to the user.
            requested_schema: The JSON Schema of the form: an object whose properties are texts,
                numbers, booleans or choices.
            related_request_id: The id of the client's request on whose stream to send the message.
                Default: none.
        """
        from ..types import ElicitResult

        return as_model(ElicitResult, await super().elicit_form(message, requested_schema, related_request_id))

    async def elicit_url(  # type: ignore[override]
        self, message: str, url: str, elicitation_id: str, related_request_id: RequestId | None = None
    ) -> ElicitResult:
        """Ask the user to visit a URL, for data that must not pass through the client.

        Args:
            message: Why the user should visit the URL, as shown to the user.
            url: The URL to visit.
            elicitation_id: An id for this question, unique among the questions of the server.
            related_request_id: The id of the client's request on whose stream to send the message.
                Default: none.
        """
        from ..types import ElicitResult

        return as_model(ElicitResult, await super().elicit_url(message, url, elicitation_id, related_request_id))

    async def list_roots(self) -> ListRootsResult:  # type: ignore[override]
        """Ask the client for the folders and files that the server may work on."""
        from ..types import ListRootsResult

        return as_model(ListRootsResult, await quietly(super().list_roots)())

    async def create_message(self, messages: Any, **options: Any) -> Any:
        """Ask the client for a message from its language model (sampling).

        Args:
            messages: The conversation so far, oldest message first.
            **options: The other arguments by name, such as `max_tokens`, which is required, and
                `system_prompt`; see `mcpbolt.server.session.ServerSession.create_message`.
        """
        from .. import types

        given = {name: _below(value) for name, value in options.items()}
        # Programs are warned once, by the method that they call.
        found: Any = await quietly(super().create_message)(_below(messages), **given)
        name = "CreateMessageResultWithTools" if options.get("tools") else "CreateMessageResult"
        return as_model(getattr(types, name), found)

    @property
    def client_params(self) -> InitializeRequestParams | None:  # type: ignore[override]
        """The params of the client's `initialize`; `None` before the handshake. For clients of
        2026-07-28, which have no handshake, they are made from the request being answered.
        """
        from ..types import InitializeRequestParams

        if self._given is not None:
            return self._given.client_params
        found: Any = super().client_params
        return None if found is None else as_model(InitializeRequestParams, found)


def as_model(kind: type[ModelT], value: Any) -> ModelT:
    """A value as a model of 2.x, also if it is one of 1.x.

    Args:
        kind: The model.
        value: The value.
    """
    return value if isinstance(value, kind) else kind.model_validate(model_dict(value))


def _below(value: Any) -> Any:
    """Models as the layers below have them, which may be those of 1.x."""
    from ... import types

    if isinstance(value, list):
        return [_below(part) for part in value]  # pyright: ignore
    kind: Any = getattr(types, type(value).__name__, None) if hasattr(value, "model_dump") else None
    return value if kind is None or isinstance(value, kind) else kind.model_validate(model_dict(value))


face.current.shape(ServerSession)
