"""What a server keeps for one client, where programs for 2.x look for it.

Owns: the state of a connection that programs add, and messages that belong to no request. Must
not know: transports; the engine carries what is sent.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any, Final, cast

import anyio

from ..._engine import face
from ..._engine.protocol import LATEST_LEGACY, MODERN_REVISIONS
from ...shared.exceptions import McpError, NoBackChannelError
from ..shared.dispatcher import CallOptions, Outbound
from ..shared.peer import Meta, dump_params

if TYPE_CHECKING:
    from pydantic import BaseModel

    from ...server.session import ServerSession
    from ..types import ClientCapabilities, InitializeRequestParams, LoggingLevel

__all__ = ["Connection"]

logger: logging.Logger = logging.getLogger(__name__)
_logger = logger
_STREAMED = frozenset(
    {
        "notifications/prompts/list_changed",
        "notifications/resources/list_changed",
        "notifications/resources/updated",
        "notifications/tools/list_changed",
    }
)
_RESULTS = {
    "elicitation/create": "ElicitResult",
    "ping": "EmptyResult",
    "roots/list": "ListRootsResult",
    "sampling/createMessage": "CreateMessageResult",
}


class _NoChannel:
    """Stands for a client that nothing leads to but answers."""

    async def send_raw_request(
        self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None
    ) -> dict[str, Any]:
        raise NoBackChannelError(method)

    async def notify(self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None) -> None:
        logger.debug("dropped %s: there is no stream that belongs to no request", method)


_NO_CHANNEL: Final[Outbound] = _NoChannel()


class NotifyOnlyOutbound:
    """Sends the notifications that 2026-07-28 allows outside of requests, and refuses requests.

    Args:
        outbound: Sends the messages.
    """

    def __init__(self, outbound: Outbound) -> None:
        self._outbound = outbound

    async def send_raw_request(
        self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None
    ) -> dict[str, Any]:
        """Refuse: in 2026-07-28 servers send no requests.

        Raises:
            NoBackChannelError: Always.

        Args:
            method: The method.
            params: The params; `None` for none.
            opts: Time-out, progress and other options of the call. Default: none.
        """
        raise NoBackChannelError(method)

    async def notify(self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None) -> None:
        """Send a notification. Those that belong on the stream of a subscription are dropped.

        Args:
            method: The method.
            params: The params; `None` for none.
            opts: Time-out, progress and other options of the call. Default: none.
        """
        if method in _STREAMED:
            logger.debug("dropped %s: clients of this era get it by subscriptions/listen", method)
        else:
            await self._outbound.notify(method, params, opts)


class Connection:
    """A connection to one client of a server.

    Args:
        outbound: Sends messages that belong to no request.
        protocol_version: The revision that the client uses.
        session_id: The id of the session over HTTP. Default: none.
        client_params: The params of the client's `initialize`. Default: none.
    """

    def __init__(
        self,
        outbound: Outbound,
        *,
        protocol_version: str,
        session_id: str | None = None,
        client_params: InitializeRequestParams | None = None,
    ) -> None:
        self.outbound = outbound
        """Sends messages that belong to no request."""
        self.protocol_version = protocol_version
        """The revision that the client uses."""
        self.session_id = session_id
        """The id of the session over HTTP; `None` without one."""
        self.client_capabilities: ClientCapabilities | None = None
        """The capabilities that the client declared; `None` before it did."""
        self.client_params = client_params
        self.initialized: anyio.Event = anyio.Event()
        """Set when the handshake is complete."""
        self.state: dict[str, Any] = {}
        """Values that the program keeps for this client."""
        self.exit_stack: AsyncExitStack = AsyncExitStack()
        """Closed when the connection ends; push what has to be closed with it."""

    @property
    def client_params(self) -> InitializeRequestParams | None:
        """The params of the client's `initialize`; `None` before the handshake."""
        return self._client_params

    @client_params.setter
    def client_params(self, value: InitializeRequestParams | None) -> None:
        self._client_params = value
        if value is not None:
            self.client_capabilities = value.capabilities

    @classmethod
    def from_envelope(
        cls, protocol_version: str, client_info: Any, client_capabilities: Any, *, outbound: Outbound = _NO_CHANNEL
    ) -> Connection:
        """Make the connection of one request of 2026-07-28 from the `_meta` of that request.
        Malformed values count as absent.

        Args:
            protocol_version: The revision of the request.
            client_info: The name and version of the client.
            client_capabilities: The capabilities that the client declared.
            outbound: Sends messages to the client. Default: there is no way to send any.
        """
        from .. import types

        info, capabilities = _read(types.Implementation, client_info), _read(types.ClientCapabilities, client_capabilities)
        params = None
        if info is not None and capabilities is not None:
            params = types.InitializeRequestParams(
                protocol_version=protocol_version, capabilities=capabilities, client_info=info
            )
        made = cls(outbound, protocol_version=protocol_version, client_params=params)
        made.client_capabilities = capabilities
        made.initialized.set()
        return made

    @classmethod
    def for_loop(
        cls, outbound: Outbound, *, session_id: str | None = None, protocol_version_hint: str | None = None
    ) -> Connection:
        """Make a connection on which the client is going to do the handshake.

        Args:
            outbound: Sends messages to the client.
            session_id: The id of the session. Default: none.
            protocol_version_hint: The revision, if the transport knows it. Default: 2025-11-25.
        """
        return cls(outbound, protocol_version=protocol_version_hint or LATEST_LEGACY, session_id=session_id)

    @property
    def has_standalone_channel(self) -> bool:
        """Whether messages that belong to no request can be sent."""
        return self.outbound is not _NO_CHANNEL

    @property
    def initialize_accepted(self) -> bool:
        """Whether the client has begun the handshake, so that its requests are served."""
        return self.client_params is not None or self.initialized.is_set()

    async def send_raw_request(
        self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None
    ) -> dict[str, Any]:
        """Send a request and return its result as JSON values.

        Args:
            method: The method.
            params: The params; `None` for none.
            opts: Time-out, progress and other options of the call. Default: none.

        Raises:
            MCPError: The client answered with an error.
            NoBackChannelError: Requests cannot be sent to this client.
        """
        return await self.outbound.send_raw_request(method, params, opts)

    async def send_request(
        self, req: Any, *, result_type: type[BaseModel] | None = None, opts: CallOptions | None = None
    ) -> Any:
        """Send a request and return its result as a model.

        Args:
            req: The request.
            result_type: The model of the result. Default: that of the protocol for this request.
            opts: Time-out, progress and other options of the call. Default: none.

        Raises:
            KeyError: The request is not one of the protocol, and `result_type` is missing.
        """
        from .. import types

        kind: Any = result_type or getattr(types, _RESULTS[req.method])
        return kind.model_validate(await self.send_raw_request(req.method, dump_params(req.params), opts))

    async def notify(self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None) -> None:
        """Send a notification. It is dropped if there is no way to the client.

        Args:
            method: The method.
            params: The params; `None` for none.
            opts: Time-out, progress and other options of the call. Default: none.
        """
        try:
            await self.outbound.notify(method, params, opts)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError, McpError):
            logger.debug("dropped %s: the stream is closed", method)

    async def ping(self, *, meta: Meta | None = None, opts: CallOptions | None = None) -> None:
        """Check that the client responds.

        Args:
            meta: The `_meta` of the message. Default: none.
            opts: Time-out, progress and other options of the call. Default: none.
        """
        await self.send_raw_request("ping", dump_params(None, meta), opts)

    async def log(self, level: LoggingLevel, data: Any, logger: str | None = None, *, meta: Meta | None = None) -> None:
        """Send a log message that belongs to no request. In 2026-07-28 there are no such messages, and
        it is dropped.

        Args:
            level: The severity.
            data: The message: text, or any other JSON value.
            logger: The name of the logger, such as the part of the server that the message is from.
                Default: none.
            meta: The `_meta` of the message. Default: none.
        """
        if self.protocol_version in MODERN_REVISIONS:
            _logger.debug("dropped notifications/message: on this era they belong to requests")
            return
        params = {"level": level, "data": data, **({} if logger is None else {"logger": logger})}
        await self.notify("notifications/message", _with(params, meta))

    async def send_tool_list_changed(self, *, meta: Meta | None = None) -> None:
        """Notify the client that the list of tools changed.

        Args:
            meta: The `_meta` of the message. Default: none.
        """
        await self.notify("notifications/tools/list_changed", _with(None, meta))

    async def send_prompt_list_changed(self, *, meta: Meta | None = None) -> None:
        """Notify the client that the list of prompts changed.

        Args:
            meta: The `_meta` of the message. Default: none.
        """
        await self.notify("notifications/prompts/list_changed", _with(None, meta))

    async def send_resource_list_changed(self, *, meta: Meta | None = None) -> None:
        """Notify the client that the list of resources changed.

        Args:
            meta: The `_meta` of the message. Default: none.
        """
        await self.notify("notifications/resources/list_changed", _with(None, meta))

    async def send_resource_updated(self, uri: str, *, meta: Meta | None = None) -> None:
        """Notify the client that a resource changed.

        Args:
            uri: The URI of the resource.
            meta: The `_meta` of the message. Default: none.
        """
        await self.notify("notifications/resources/updated", _with({"uri": uri}, meta))

    def check_capability(self, capability: ClientCapabilities) -> bool:
        """Whether the client declared a capability, including all members that are set in it.

        Args:
            capability: The capabilities that are needed.
        """
        if self.client_capabilities is None:
            return False
        has, wanted = (one.model_dump(exclude_none=True) for one in (self.client_capabilities, capability))
        exact, names = wanted.pop("experimental", {}), wanted.pop("extensions", {})
        known = has.get("experimental", {})
        return (
            all(known.get(name, ...) == value for name, value in exact.items())
            and names.keys() <= has.get("extensions", {}).keys()
            and all(name in has and (name != "roots" or _lists(has[name], value)) for name, value in wanted.items())
            and set(wanted.get("sampling", {})) <= set(has.get("sampling", {}))
        )


def _lists(has: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    return bool(has.get("list_changed")) or not wanted.get("list_changed")


def _read(kind: Any, value: Any) -> Any:
    try:
        return kind.model_validate(value)
    except ValueError:
        return None


def _with(params: dict[str, Any] | None, meta: Meta | None) -> dict[str, Any] | None:
    return {**(params or {}), "_meta": meta} if meta else params


class _Carried:
    """A session of the engine as what messages are sent to."""

    def __init__(self, session: ServerSession) -> None:
        self._session = session

    async def send_raw_request(
        self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None
    ) -> dict[str, Any]:
        from ..._engine.json import dumps

        return cast("dict[str, Any]", await self._session.put(None, method, None if params is None else dumps(params)))

    async def notify(self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None) -> None:
        from ..._engine.json import dumps

        await self._session.pass_on(None, method, None if params is None else dumps(params))


def connection_of(session: ServerSession) -> Connection:
    """The connection of a session that the engine carries.

    Args:
        session: The session.
    """
    about: dict[str, Any] = session.described
    members: dict[str, Any] = session.__dict__
    params: Any = session.client_params
    found: Connection | None = members.get("of_connection")
    if found is None:
        made = Connection(_Carried(session), protocol_version=LATEST_LEGACY)
        # Closed with the session.
        made.exit_stack = session.exit_stack
        found = members["of_connection"] = made
        found.initialized.set()
    if params is not None:
        found.client_params, found.protocol_version = params, str(params.protocol_version)
    found.session_id = about.get("sessionId")
    if found.protocol_version in MODERN_REVISIONS:
        is_http = about.get("transport") == "http"
        found.outbound = _NO_CHANNEL if is_http else NotifyOnlyOutbound(_Carried(session))
    return found


face.current.shape(Connection)
