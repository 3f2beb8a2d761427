"""The client of 2.x, with exactly its parameters.

Owns: what may be said when a client is made or asked. Must not know: how requests are carried.
"""

from __future__ import annotations

import builtins
import logging
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any, cast

from anyio import fail_after

from ..._engine import face
from ..._engine.json import dumps
from ..._engine.protocol import LEGACY_REVISIONS, MODERN_REVISIONS
from ..._engine.questions import quietly
from ...client._by_hand import Round
from ...client.caching import CacheConfig
from ...shared.exceptions import McpError
from ._folding import evicting_message_handler as _evicting_message_handler  # noqa: F401  # pyright: ignore[reportUnusedImport]
from ._folding import fold_extensions as _fold_extensions  # noqa: F401  # pyright: ignore[reportUnusedImport]
from ._folding import synthesize_discover as _synthesize_discover  # noqa: F401  # pyright: ignore[reportUnusedImport]
from ._lists import Lists, Meta, as_wire
from .session import ClientSession as _ClientSession

if TYPE_CHECKING:
    from typing_extensions import Self

    from ...client._ways import Source
    from ...client.caching import CacheMode
    from ...client.extension import ClientExtension
    from ...client.session import ClientSession, ElicitationFnT, ListRootsFnT, LoggingFnT, MessageHandlerFnT, SamplingFnT
    from ...shared.session import ProgressFnT
    from ..types import (
        CallToolResult,
        DiscoverResult,
        EmptyResult,
        GetPromptResult,
        Implementation,
        LoggingLevel,
        ReadResourceResult,
        SamplingCapability,
    )

__all__ = ["Client"]

logger: logging.Logger = logging.getLogger("client")

# The code for headers that do not repeat the arguments they should.
HEADER_MISMATCH = -32020
# How many pages are asked for to find one tool.
MAX_PAGES = 100


@dataclass
class Client(Lists):
    """A client of one server, exactly as the official 2.x package has it. Use it as an async context
    manager, once.

    Example:
        ```python
        async with Client("http://localhost:8000/mcp") as client:
            result = await client.call_tool("add", {"a": 1, "b": 2})
        ```
    """

    server: Source
    """The server to reach: a URL, `StdioServerParameters`, a server object of this process, such as
    an `MCPServer`, or an async context manager that yields a pair of streams.
    """
    _: KW_ONLY
    raise_exceptions: bool = False
    """For a server object of this process: whether an exception in one of its handlers ends the
    server and is raised when the client closes, instead of becoming an error response. Default: no.
    """
    read_timeout_seconds: float | None = None
    """Longest wait for an answer, in seconds; progress does not extend it. Default: no limit."""
    sampling_callback: SamplingFnT | None = None
    """Async function that is called when the server asks for a message from a language model. Default:
    none, and such requests are refused.
    """
    sampling_capabilities: SamplingCapability | None = None  # type: ignore[assignment]
    """The capabilities of the sampling callback, such as tools. Default: none."""
    list_roots_callback: ListRootsFnT | None = None
    """Async function that is called when the server asks for the roots, the folders and files that it
    may work on. Default: none, and such requests are refused.
    """
    logging_callback: LoggingFnT | None = None
    """Async function that is called with each log message of the server. Default: they are ignored."""
    log_level: LoggingLevel | None = None
    """The lowest level of log messages that requests ask for in 2026-07-28. Default: requests ask for
    none.
    """
    message_handler: MessageHandlerFnT | None = None
    """Async function that is called with each notification, and with each transport error, as an
    exception. Default: they are ignored.
    """
    client_info: Implementation | None = None  # type: ignore[assignment]
    """The name and version of this program, sent to the server. Default: `mcp`, version `0.1.0`."""
    mode: str = "auto"
    """How the connection begins. `"auto"`, the default: with 2026-07-28 if the server has it, else
    with the handshake of older revisions. `"legacy"`: with that handshake. A revision of the
    modern era, by its date: with that one, without asking the server whether it has it.
    """
    prior_discover: DiscoverResult | None = None  # type: ignore[assignment]
    """The `discover_result` of an earlier session with this server, used if `mode` names a revision.
    Default: none.
    """
    elicitation_callback: ElicitationFnT | None = None
    """Async function that is called when the server asks the user a question. Default: none, and such
    requests are refused.
    """
    input_required_max_rounds: int = 10
    """How often the server may answer one call with questions (2026-07-28) before the call fails.
    Default: 10.
    """
    extensions: Sequence[ClientExtension] | None = None
    """Extensions of the protocol that this client supports and declares. Default: none."""
    cache: CacheConfig | None = field(default_factory=CacheConfig)  # pyright: ignore[reportIncompatibleVariableOverride]
    """Where results are cached for as long as the server allows; `None` for no caching. Default: in
    memory.
    """
    # Its sessions answer with the models of 2.x, and wait without a limit, as there.
    _session_class = _ClientSession
    _patience = {}  # noqa: RUF012 - declared by the base class
    _entered: bool = field(init=False, default=False, repr=False)

    def __post_init__(self) -> None:
        if self.mode not in ("legacy", "auto", *MODERN_REVISIONS):
            hint = (
                f" ({self.mode!r} is a handshake-era version; use mode='legacy')"
                if self.mode in LEGACY_REVISIONS
                else ""
            )
            known = list(MODERN_REVISIONS)
            raise ValueError(f"mode must be 'legacy', 'auto', or one of {known}; got {self.mode!r}{hint}")
        if self.cache is not None and self.cache.store is not None and self.cache.target_id is None:
            if not isinstance(self.server, str):
                raise ValueError(
                    "a custom cache store requires CacheConfig.target_id when the server is not a URL: "
                    "in-process servers and Transport instances get a random per-client identity, so "
                    "their entries in a shared store could never be served to another client"
                )
        super().__post_init__()

    async def __aenter__(self) -> Self:
        if self._entered:
            raise RuntimeError("Client is already entered; cannot reenter")
        self._entered = True
        return await super().__aenter__()

    def _known_before(self) -> DiscoverResult | None:  # type: ignore[override]
        """The server is asked nothing where the program names the revision."""
        if self.mode not in MODERN_REVISIONS or self.prior_discover is not None:
            known: DiscoverResult | None = cast("Any", super()._known_before())
            return known
        from ..types import DiscoverResult, ServerCapabilities

        return DiscoverResult(
            supported_versions=[self.mode],
            capabilities=ServerCapabilities(),
            result_type="complete",
            ttl_ms=0,
            cache_scope="public",
        )

    @property
    def session(self) -> ClientSession:
        """The session of the open connection.

        Raises:
            RuntimeError: The client is not connected.
        """
        if self._session is None:
            raise RuntimeError("Client must be used within an async context manager")
        return self._session

    # Calls

    async def call_tool(  # type: ignore[override]
        self,
        name: str,
        arguments: dict[str, Any] | None = None,
        read_timeout_seconds: float | None = None,
        progress_callback: ProgressFnT | None = None,
        *,
        input_responses: Mapping[str, Any] | None = None,
        request_state: str | None = None,
        meta: Meta | None = None,
    ) -> CallToolResult:
        """Call a tool. If the tool itself fails, the result has `is_error`.

        Args:
            name: The tool's name.
            arguments: The arguments by name. Default: none.
            read_timeout_seconds: Longest wait for the answer, in seconds; progress does not extend
                it. Default: that of the client.
            progress_callback: Async function that is called with `progress`, `total` and `message`
                of each progress report. Default: no reports are asked for.
            input_responses: The answers to the questions of an earlier `InputRequiredResult`, by
                the keys of the questions. Default: none.
            request_state: The `requestState` of that `InputRequiredResult`. Default: none.
            meta: The `_meta` of the request. Default: none.

        Raises:
            MCPError: The server answered with an error, or did not answer in time.
            RuntimeError: The structured content does not fit the tool's output schema.
        """
        more: dict[str, Any] = {"input_responses": input_responses, "request_state": request_state}
        more.update(meta=None if meta is None else as_wire(meta), allow_claimed=True)
        limit = None if read_timeout_seconds is None else timedelta(seconds=read_timeout_seconds)
        found: CallToolResult
        try:
            found = cast("Any", await self.session.call_tool(name, arguments, limit, progress_callback, **more))
        except McpError as mismatch:
            if mismatch.code != HEADER_MISMATCH or self.protocol_version not in MODERN_REVISIONS:
                raise
            # The tool is not known yet, or its schema has changed.
            seconds = read_timeout_seconds if read_timeout_seconds is not None else self.read_timeout_seconds
            try:
                with fail_after(seconds):
                    await self._list_until(name)
            except (McpError, builtins.TimeoutError, ValueError) as error:
                raise mismatch from error
            found = cast("Any", await self.session.call_tool(name, arguments, limit, progress_callback, **more))
        found = await self._of_2.resolved(name, cast("Any", limit), found)
        return found

    async def _list_until(self, name: str) -> None:
        """List tools until this one has been seen."""
        cursor: str | None = None
        for _ in range(MAX_PAGES):
            page = await self.list_tools(cursor=cursor, cache_mode="refresh")
            cursor = page.next_cursor
            if cursor is None or any(tool.name == name for tool in page.tools):
                return

    async def get_prompt(  # type: ignore[override]
        self,
        name: str,
        arguments: dict[str, str] | None = None,
        *,
        input_responses: Mapping[str, Any] | None = None,
        request_state: str | None = None,
        meta: Meta | None = None,
    ) -> GetPromptResult:
        """Get a prompt with its arguments filled in, as messages for a language model.

        Args:
            name: The prompt's name.
            arguments: The arguments by name, as texts. Default: none.
            input_responses: The answers to the questions of an earlier `InputRequiredResult`, by
                the keys of the questions. Default: none.
            request_state: The `requestState` of that `InputRequiredResult`. Default: none.
            meta: The `_meta` of the request. Default: none.
        """
        if meta is not None:
            from ..types import GetPromptResult

            params: dict[str, Any] = {"name": name, "_meta": as_wire(meta)}
            if arguments is not None:
                params["arguments"] = arguments
            answers = Round(input_responses, request_state, False)
            return GetPromptResult.model_validate(await self._asked("prompts/get", answers.params(params)))
        answer: Any = await self.session.get_prompt(
            name, arguments, input_responses=input_responses, request_state=request_state
        )
        found: GetPromptResult = answer
        return found

    async def read_resource(  # type: ignore[override]
        self,
        uri: str,
        *,
        input_responses: Mapping[str, Any] | None = None,
        request_state: str | None = None,
        meta: Meta | None = None,
        cache_mode: CacheMode = "use",
    ) -> ReadResourceResult:
        """Read the contents of a resource.

        Args:
            uri: The URI of the resource.
            input_responses: The answers to the questions of an earlier `InputRequiredResult`, by
                the keys of the questions. Default: none.
            request_state: The `requestState` of that `InputRequiredResult`. Default: none.
            meta: The `_meta` of the request. Default: none.
            cache_mode: How to use the cache: `"use"`, the default, takes a valid cached result;
                `"refresh"` asks the server and caches the result; `"bypass"` asks the server and
                leaves the cache as it is.
        """
        if meta is not None:
            from ..types import ReadResourceResult

            asked = Round(input_responses, request_state, False).params({"uri": uri, "_meta": as_wire(meta)})
            return ReadResourceResult.model_validate(await self._asked("resources/read", asked))
        found: ReadResourceResult
        if input_responses is None and request_state is None:
            found = cast("Any", await super().read_resource(uri, cache_mode=cache_mode))
            return found
        answer: Any = await self.session.read_resource(
            uri, input_responses=input_responses, request_state=request_state
        )
        found = answer
        return found

    @property
    def _of_2(self) -> _ClientSession:
        return cast("_ClientSession", self.session)

    async def set_logging_level(  # type: ignore[override]
        self, level: LoggingLevel, *, meta: Meta | None = None
    ) -> EmptyResult:
        """Set the lowest level of log messages that the server should send.

        Args:
            level: The lowest level of messages to send, such as `warning`.
            meta: The `_meta` of the request. Default: none.
        """
        done: EmptyResult = await quietly(self._of_2.set_logging_level)(level, meta=meta)
        return done

    async def subscribe_resource(  # type: ignore[override]
        self, uri: str, *, meta: Meta | None = None
    ) -> EmptyResult:
        """Ask the server to send a notification whenever a resource changes; the `message_handler` gets
        them. Only up to 2025-11-25; in 2026-07-28 use `listen`.

        Args:
            uri: The URI of the resource.
            meta: The `_meta` of the request. Default: none.
        """
        done: EmptyResult = await quietly(self._of_2.subscribe_resource)(uri, meta=meta)
        return done

    async def unsubscribe_resource(  # type: ignore[override]
        self, uri: str, *, meta: Meta | None = None
    ) -> EmptyResult:
        """End a subscription made with `subscribe_resource`.

        Args:
            uri: The URI of the resource.
            meta: The `_meta` of the request. Default: none.
        """
        done: EmptyResult = await quietly(self._of_2.unsubscribe_resource)(uri, meta=meta)
        return done

    async def _asked(self, method: str, params: str) -> Any:
        return await self.session.ask(method, params, fresh=True)

    async def send_ping(self, *, meta: Meta | None = None) -> EmptyResult:  # type: ignore[override]
        """Check that the server responds. Only up to 2025-11-25, since 2026-07-28 has no `ping`.

        Args:
            meta: The `_meta` of the request. Default: none.
        """
        if meta is None:
            found: EmptyResult = cast("Any", await super().send_ping())
            return found
        from ..types import EmptyResult

        return EmptyResult.model_validate(await self._asked("ping", dumps({"_meta": as_wire(meta)})))


face.current.shape(Client)
