"""`ClientSession` of 2.x: its beginning in steps.

Owns: what 2.x lets a program do with a session that 1.x does not: probing, adopting an answer
that it holds. Must not know: how requests are carried.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from ..._engine import face
from ..._engine.json import dumps, model_dict
from ..._engine.protocol import MODERN_REVISIONS
from ...client.session import ElicitationFnT, ListRootsFnT, LoggingFnT, MessageHandlerFnT, SamplingFnT
from ...shared.exceptions import McpError, UsageError, in_time
from .._types import rooted
from ._asking import Asking
from ._incoming import IncomingMessage
from ._parts import folded, is_of_server
from .context import ClientRequestContext

if TYPE_CHECKING:
    from ..types import (
        DiscoverResult,
        Implementation,
        InitializeResult,
        LoggingLevel,
        SamplingCapability,
    )
    from .extension import NotificationBinding, ResultClaim

__all__ = [
    "DISCOVER_TIMEOUT_SECONDS",
    "ClientRequestContext",
    "ClientSession",
    "ElicitationFnT",
    "IncomingMessage",
    "ListRootsFnT",
    "LoggingFnT",
    "MessageHandlerFnT",
    "SamplingFnT",
]

DISCOVER_TIMEOUT_SECONDS = 10.0
"""How long the official package waits for an answer to `server/discover`, in seconds."""


# What 2.x says of an answer that does not come in time.
_TIMED_OUT = (-32001, "Request {method!r} timed out")


def __getattr__(name: str) -> Any:
    if name == "DEFAULT_CLIENT_INFO":
        return rooted.find("Implementation")(name="mcp", version="0.1.0")
    if name == "ClientResponse":
        from pydantic import TypeAdapter

        from ..types import ClientResult, ErrorData

        return TypeAdapter(ClientResult | ErrorData)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class ClientSession(Asking):
    """A connection to one server, exactly as the official 2.x package has it. Enter it as an async
    context manager, then connect with `initialize`, `discover` or `adopt`.

    Args:
        read_stream: The stream that messages from the server are read from.
        write_stream: The stream that messages to the server are written to.
        read_timeout_seconds: Longest wait for an answer, in seconds; progress does not extend it.
            The handshake has at least 5 seconds. Default: no limit.
        sampling_callback: Async function that is called when the server asks for a message from a
            language model. Default: none, and such requests are refused.
        elicitation_callback: Async function that is called when the server asks the user a question.
            Default: none, and such requests are refused.
        list_roots_callback: Async function that is called when the server asks for the roots that it
            may work on. Default: none, and such requests are refused.
        logging_callback: Async function that is called with each log message of the server.
            Default: they are ignored.
        message_handler: Async function that is called with each notification, and with each
            transport error, as an exception. Default: they are ignored.
        client_info: The name and version of this program, sent to the server. Default: `mcp`,
            version `0.1.0`.
        log_level: The lowest level of log messages that requests ask for in 2026-07-28. Default:
            requests ask for none.
        sampling_capabilities: The capabilities of the sampling callback, such as tools. Default: no
            special ones.
        extensions: The settings of the extensions to declare, by identifier. Default: none.
        result_claims: The kinds of results that these extensions define, by identifier. Default:
            none.
        notification_bindings: The notifications that these extensions handle. Default: none.
        dispatcher: Refused with a `UsageError`: give the two streams. Default: none.
        **more: Arguments that only `mcpbolt.ClientSession` has, such as `validate_result`.

    Raises:
        UsageError: A dispatcher was given.
        ValueError: A stream is missing.
    """

    def __init__(
        self,
        read_stream: Any = None,
        write_stream: Any = None,
        read_timeout_seconds: float | None = None,
        sampling_callback: SamplingFnT | None = None,
        elicitation_callback: ElicitationFnT | None = None,
        list_roots_callback: ListRootsFnT | None = None,
        logging_callback: LoggingFnT | None = None,
        message_handler: MessageHandlerFnT | None = None,
        client_info: Implementation | None = None,
        *,
        log_level: LoggingLevel | None = None,
        sampling_capabilities: SamplingCapability | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
        result_claims: Mapping[str, Sequence[ResultClaim[Any]]] | None = None,
        notification_bindings: Sequence[NotificationBinding[Any]] | None = None,
        dispatcher: Any = None,
        **more: Any,
    ) -> None:
        if dispatcher is not None:
            if read_stream is not None or write_stream is not None:
                raise ValueError("pass read_stream/write_stream or dispatcher, not both")
            raise UsageError("dispatcher: the engine carries a session's messages; give read_stream and write_stream")
        if read_stream is None or write_stream is None:
            raise ValueError("read_stream and write_stream are required when no dispatcher is given")
        super().__init__(
            read_stream,
            write_stream,
            cast("Any", read_timeout_seconds),
            sampling_callback,
            elicitation_callback,
            list_roots_callback,
            logging_callback,
            message_handler,
            cast("Any", client_info),
            log_level=log_level,
            sampling_capabilities=cast("Any", sampling_capabilities),
            **cast("Any", {"models": rooted, **more}),
        )
        self.extend(folded(extensions, result_claims, notification_bindings))
        self._x_mcp_header_maps = {}
        # The answer to `server/discover`, before it is adopted.
        self._probed: dict[str, Any] | None = None

    # Its beginning

    async def initialize(self) -> InitializeResult:  # type: ignore[override]
        """Connect with the handshake of `initialize`. If the session did that already, the earlier
        answer is returned.

        Raises:
            MCPError: The server refused.
            RuntimeError: The server answered with an unknown revision.
        """
        found: Any = self.initialize_result
        if found is None:
            found = await super().initialize()
            self._warn_of_deaf()
        return cast("InitializeResult", found)

    def _is_known(self, method: str) -> bool:
        return is_of_server(method, self.protocol_version or "")

    def _warn_of_deaf(self) -> None:
        """Warn of what extensions wait for in vain, now that the revision is known."""
        self._extensions.warn_of_deaf(self._is_known, self.protocol_version or "")

    async def send_discover(self, version: str) -> dict[str, Any]:
        """Ask `server/discover` and return the answer as JSON values. `adopt` then uses it.

        Args:
            version: Ignored: the engine proposes the newest revision that it knows.

        Raises:
            MCPError: The server refused, or does not know the method.
        """
        del version
        if self._handshake is not None:
            # The session has begun: the server is only asked again.
            return dict(await self._ask("server/discover", None, DISCOVER_TIMEOUT_SECONDS, None))
        _, item = await self._probe()
        self._probed = dict(item.result)
        return dict(item.result)

    async def discover(self) -> DiscoverResult:  # type: ignore[override]
        """Connect with 2026-07-28, which has no handshake: ask the server what it is and can do. If the
        session did that already, the earlier answer is returned.
        """
        from ..types import DiscoverResult

        found: Any = self.discover_result
        if found is None:
            answer = await self.send_discover(MODERN_REVISIONS[-1])
            self.adopt(DiscoverResult.model_validate(answer))
            found = self.discover_result
        return cast("DiscoverResult", found)

    def adopt(self, result: Any) -> None:
        """Connect with an answer of the server that the program already has.

        Args:
            result: A `DiscoverResult`, or the `InitializeResult` of a handshake done elsewhere.

        Raises:
            RuntimeError: The server has no revision without a handshake that this package knows.
        """
        from ..types import InitializeResult

        if isinstance(result, InitializeResult):
            self._adopt_handshake(result)
        elif self._probed is None:
            super().adopt(result)
        else:
            offered: list[str] = result.supported_versions
            mutual = [revision for revision in MODERN_REVISIONS if revision in offered]
            if not mutual:
                ours = list(MODERN_REVISIONS)
                raise RuntimeError(
                    f"No mutually supported modern protocol version (server: {offered}, client: {ours})"
                )
            self._agreed(model_dict(result), mutual[-1])
        self._warn_of_deaf()

    def _adopt_handshake(self, result: InitializeResult) -> None:
        known: dict[str, Any] = {**model_dict(result), "supportedVersions": [result.protocol_version]}
        connection = self._open(model_dict(self._introduction()))
        connection.adopt(result.protocol_version, dumps(known))
        self._handshake, self._discovered = cast("Any", result), None

    # Its errors

    def _failed(self, failure: tuple[str, int, str, Any], what: str, limit: float | None) -> McpError:
        return _with_parts(super()._failed(failure, what, limit))

    def _in_time(self, error: McpError, method: str) -> McpError:
        return _with_parts(in_time(error, method, _TIMED_OUT))

    @property
    def _dispatcher(self) -> _Carrying:
        return _Carrying(self)


def _with_parts(error: McpError) -> McpError:
    """An error with its code, message and data as its `args`, as in 2.x."""
    error.args = (error.code, error.message, error.data)
    return error


class _Carrying:
    """What programs ask of the official session's dispatcher: whether the connection is over."""

    def __init__(self, session: ClientSession) -> None:
        self._session = session

    @property
    def _closed(self) -> bool:
        return self._session.state == "closed"

    async def send_raw_request(
        self, method: str, params: Mapping[str, Any] | None, opts: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        given = opts or {}
        text = None if params is None else dumps(dict(params))
        return dict(await self._session.send_raw(method, text, given.get("timeout"), given.get("on_progress")))

    async def notify(
        self, method: str, params: Mapping[str, Any] | None, opts: Mapping[str, Any] | None = None
    ) -> None:
        await self._session.notify_raw(method, None if params is None else dumps(dict(params)))


face.current.shape(ClientSession)
