"""`Client`: how to reach one server, and the connection to it.

Owns: choosing the transport for the given server. The requests themselves are those of
`ClientSession`.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import timedelta
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from .._engine.protocol import MODERN_REVISIONS
from ..shared.exceptions import McpError
from ._calling import Calling
from ._faults import grouped
from ._ways import way_of
from .session import ClientSession, ElicitationFnT, ListRootsFnT, LoggingFnT, MessageHandlerFnT, SamplingFnT

if TYPE_CHECKING:
    from pydantic import BaseModel
    from typing_extensions import Self

    from .._engine.validating import ValidateResult
    from ..types import (
        DiscoverResult,
        Implementation,
        InitializeResult,
        LoggingLevel,
        SamplingCapability,
        ServerCapabilities,
    )
    from ._extensions import Extensions
    from ._signed_in import Authentication
    from ._ways import Source
    from .caching import CacheConfig, ResponseCache
    from .extension import ClientExtension
    from .subscriptions import ServerEvent

__all__ = ["Client"]

PageT = TypeVar("PageT", bound="BaseModel")
_NOT_OPEN = "Client must be used within an async context manager: async with Client(...) as client"


@dataclass
class Client(Calling):
    """A client of one server, for any transport and revision. Use it as an async context manager,
    or call `connect` and `close`.

    Example:
        ```python
        async with Client("http://localhost:8000/mcp") as client:
            result = await client.call_tool("add", {"a": 1, "b": 2})
        ```
    """

    server: Source
    """The server to reach: a URL; the path of a Python or JavaScript program; a command as text, as
    a list of words or as `StdioServerParameters`; `{"mcpServers": {…}}` with one server, or the path
    of a JSON file with that; a server object of this process, such as a `FastMCP`; or an async
    context manager that yields a pair of streams, such as `streamable_http_client(url)`.
    """

    read_timeout_seconds: float | None = None
    """Longest wait for an answer, in seconds. Default: 60, and each progress notification starts the
    wait anew, up to 600 seconds. A number that is given is not extended by progress.
    """

    sampling_callback: SamplingFnT | None = None
    """Async function that is called when the server asks for a message from a language model.
    Default: none, and such requests are refused.
    """

    sampling_capabilities: SamplingCapability | None = None
    """The capabilities of the sampling callback, such as tools. Default: none."""

    list_roots_callback: ListRootsFnT | None = None
    """Async function that is called when the server asks for the roots, the folders and files that it
    may work on. Default: none, and such requests are refused.
    """

    logging_callback: LoggingFnT | None = None
    """Async function that is called with each log message of the server. Default: log messages are
    ignored.
    """

    message_handler: MessageHandlerFnT | None = None
    """Async function that is called with each notification, with each request of the server that no
    callback answers, and with each transport error, as an exception. While it is slow, the latest
    10,000 wait and older ones are dropped. Default: they are ignored.
    """

    client_info: Implementation | None = None
    """The name and version of this program, sent to the server. Default: `mcp`, version `0.1.0`."""

    mode: str = "auto"
    """How the connection begins. `"auto"`, the default: with 2026-07-28 if the server has it, else
    with the handshake of older revisions. `"legacy"`: with that handshake (`initialize`). The name
    of a revision: with that one or not at all.
    """

    elicitation_callback: ElicitationFnT | None = None
    """Async function that is called when the server asks the user a question. Default: none, and such
    requests are refused.
    """

    input_required_max_rounds: int = 8
    """How often the server may answer one call with questions (2026-07-28) before the call fails.
    Default: 8.
    """

    cache: bool | CacheConfig | None = True
    """Whether results are cached for as long as the server allows (2026-07-28): `True`, the default,
    in memory; a `CacheConfig` for another store or user; `False` or `None` for no caching.
    """

    extensions: Sequence[ClientExtension] | None = None
    """Extensions of the protocol that this client supports and declares. Default: none."""

    headers: dict[str, str] | None = None
    """HTTP headers to send with every request, if the server is given by its URL. Default: none."""

    raise_exceptions: bool = False
    """For a server object of this process: whether an exception in one of its handlers ends the
    server and is raised when the client closes, instead of becoming an error response. For tests.
    Default: no.
    """

    log_level: LoggingLevel | None = None
    """The lowest level of log messages that requests ask for in 2026-07-28; a level in a request's
    own `_meta` takes precedence. Default: requests ask for none. In older revisions, call
    `set_logging_level`.

    .. deprecated:: 2026-07-28
       logging, SEP-2577; earliest removal 2027-07-28. Use OpenTelemetry.
    """

    prior_discover: DiscoverResult | None = None
    """The `discover_result` of an earlier session with this server: with it and a `mode` that
    names the revision, the connection begins without asking the server anything. Default: none.
    """

    validate_result: ValidateResult | None = None
    """Called with the method, the name of the tool or other object, and the result, before the
    caller gets the result. It returns `None` to accept it, or the reason for refusing it; if it
    raises, the result is refused. May be async. Default: every result is accepted.
    """

    options: dict[str, Any] | None = None
    """Further options of the engine by name, such as `max_result_bytes` or `check_media`. Default:
    none.
    """

    auth: Authentication | None = None
    """How to sign in, if the server is given by its URL: `"oauth"` opens the user's browser where the
    server wants a token, and stores tokens in a file; an `OAuth` of `mcpbolt.client.auth` does the same with
    other options; or an authentication for `httpx`, such as an `OAuthClientProvider`. Requests then go
    through `httpx`. Default: nobody signs in.
    """

    # Another line of the official package has another one.
    _session_class: ClassVar[type[ClientSession]] = ClientSession
    # The engine's options where the program says nothing about how long it waits.
    _patience: ClassVar[dict[str, float]] = {"request_timeout": 60, "request_max": 600}

    _extensions: Extensions = field(init=False, repr=False)
    _kept: ResponseCache | None = field(init=False, default=None, repr=False)
    _session: ClientSession | None = field(init=False, default=None, repr=False)
    _stack: AsyncExitStack | None = field(init=False, default=None, repr=False)

    def __post_init__(self) -> None:
        from ._extensions import Extensions

        self._extensions = Extensions(() if self.extensions is None else self.extensions)
        if self.cache is None or isinstance(self.cache, bool):
            return
        from .caching import ResponseCache

        target = self.cache.target_id or (self.server if isinstance(self.server, str) else None)
        if target is None and self.cache.store is not None:
            raise ValueError("a store of your own needs CacheConfig.target_id where the server is no URL")
        self._kept = ResponseCache(self.cache, target or f"client {id(self)}")

    async def __aenter__(self) -> Self:
        try:
            await self._connect()
        except (McpError, OSError) as error:
            brief = self._brief(error)
            raised = grouped(brief)
            raise raised from (error.__cause__ if raised is brief else None)
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()
        if exc is not None and (raised := grouped(exc)) is not exc:
            raise raised

    async def connect(self) -> ClientSession:
        """Connect to the server. `close` ends the connection.

        Returns:
            The session, which is also the `session` attribute.

        Raises:
            RuntimeError: The client is connected already.
            UsageError: `server` does not say where a server is; the message lists what can be given.
            ConnectError: The server cannot be reached.
            OSError: The program of the server does not exist or may not be run.
            McpError: The server refused.
        """
        try:
            return await self._connect()
        except (McpError, OSError) as error:
            raise self._brief(error) from error.__cause__

    def _brief(self, error: Exception) -> Exception:
        """Remove this package's frames from the traceback of an error, so that it shows only
        what was wrong and where. A server of this process may have raised the error itself;
        then the traceback is kept.
        """
        is_ours = isinstance(error, McpError) or isinstance(self.server, (str, list, tuple, dict))
        return error.with_traceback(None) if is_ours else error

    async def _connect(self) -> ClientSession:
        if self._session is not None:
            raise RuntimeError("Client is already entered; cannot reenter")
        stack = AsyncExitStack()
        try:
            way = way_of(self.server, self.headers, self.raise_exceptions, self.auth)
            streams = await stack.enter_async_context(way)
            session = self._new_session(streams[0], streams[1])
            stack.push_async_callback(session.close)
            known = self._known_before()
            if known is not None:
                session.adopt(known)
            else:
                await session.initialize()
        except BaseException:
            await stack.aclose()
            raise
        self._session, self._stack = session, stack
        return session

    def _known_before(self) -> DiscoverResult | None:
        """What the connection begins with instead of asking the server."""
        return self.prior_discover if self.mode in MODERN_REVISIONS else None

    async def close(self) -> None:
        """Close the connection; a server that this client started is ended. May be called more than
        once and from any task.
        """
        stack, self._stack = self._stack, None
        self._session = None
        if stack is not None:
            await stack.aclose()

    def _new_session(self, read_stream: Any, write_stream: Any) -> ClientSession:
        limit = self.read_timeout_seconds
        session = self._session_class(
            read_stream,
            write_stream,
            None if limit is None else timedelta(seconds=limit),
            self.sampling_callback,
            self.elicitation_callback,
            self.list_roots_callback,
            self.logging_callback,
            self._told if self._kept is not None else self.message_handler,
            self.client_info,
            log_level=self.log_level,
            sampling_capabilities=self.sampling_capabilities,
            validate_result=self.validate_result,
            options=self.options,
        )
        session.extend(self._extensions)
        session.configure(
            self.mode,
            {
                **self._limits(),
                "cache": self.cache is True,
                "max_rounds": self.input_required_max_rounds,
            },
        )
        return session

    def _limits(self) -> dict[str, float]:
        """How long is waited for answers where the program says nothing about that."""
        if self.auth is None or not self._patience:
            return self._patience
        # The first request waits for the user, who has five minutes in the browser.
        return {**self._patience, "request_timeout": self._patience["request_timeout"] + 300}

    async def _told(self, message: Any) -> None:
        """Drop cached results that a notification makes stale, then call the message handler."""
        root = getattr(message, "root", None)
        if root is not None and self._kept is not None:
            uri = getattr(getattr(root, "params", None), "uri", None)
            await self._kept.changed(root.method, {"uri": str(uri)})
        if self.message_handler is not None:
            await self.message_handler(message)

    async def _event(self, event: ServerEvent) -> None:
        from ..shared.subscriptions import notification_of

        if self._kept is not None:
            await self._kept.changed(*notification_of(event))

    @property
    def session(self) -> ClientSession:
        """The session of the open connection.

        Raises:
            RuntimeError: The client is not connected.
        """
        if self._session is None:
            raise RuntimeError(_NOT_OPEN)
        return self._session

    @property
    def _handshake(self) -> InitializeResult:
        handshake = self.session.handshake
        if handshake is None:
            raise RuntimeError(_NOT_OPEN)
        return handshake

    @property
    def protocol_version(self) -> str:
        """The protocol revision that both sides agreed on."""
        return str(self._handshake.protocolVersion)

    @property
    def server_info(self) -> Implementation | None:
        """Name and version of the server; `None` if it did not send them."""
        info = self._handshake.serverInfo
        return info if info.name else None

    @property
    def server_capabilities(self) -> ServerCapabilities:
        """The capabilities that the server declared."""
        return self._handshake.capabilities

    @property
    def instructions(self) -> str | None:
        """The server's instructions for a language model; `None` if it has none."""
        return self._handshake.instructions
