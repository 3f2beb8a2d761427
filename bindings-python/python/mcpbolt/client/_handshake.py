"""How a session begins: with `initialize`, with `server/discover`, or with an earlier answer.

Owns: what is sent about this program, and what the server sent about itself. Must not know:
the requests that follow.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from .._engine import face
from .._engine.connection import Connection
from .._engine.json import dumps, model_dict
from .._engine.protocol import LATEST_LEGACY, LEGACY_REVISIONS, METHODS, MODERN_REVISIONS
from .._probed import probed
from ..shared.exceptions import MCPError, McpError, UnsupportedProtocolVersionError, UsageError
from ._callbacks import default_elicitation_callback, default_list_roots_callback, default_sampling_callback
from ._connection import FACE
from ._extensions import Extensions
from ._reach import reach_of
from .experimental.task_handlers import ABOUT_TASKS

if TYPE_CHECKING:
    from .._engine.items import ResponseItem
    from .._engine.validating import ValidateResult
    from .._mcpbolt import Server as EngineServer
    from ..types import (
        DiscoverResult,
        Implementation,
        InitializeRequestParams,
        InitializeResult,
        SamplingCapability,
        ServerCapabilities,
    )
    from .experimental.task_handlers import ExperimentalTaskHandlers

# The least time that a handshake has: it may have to start the server.
HANDSHAKE_SECONDS = 5.0
SERVER_INFO = "io.modelcontextprotocol/serverInfo"


def default_client_info() -> Implementation:
    """The name and version that are sent to servers if the program gives none."""
    from ..types import Implementation

    return Implementation(name="mcp", version="0.1.0")


class Handshake:
    """The part of `ClientSession` that does the handshake."""

    # `Client` sets these before the session opens.
    _protocol: str | None = None
    _extra_options: dict[str, Any] | None = None
    # Options that the program gave; they override all others.
    _options: dict[str, Any] | None = None
    _validate_result: ValidateResult | None = None
    _memory: EngineServer | None = None
    _extensions: Extensions = Extensions()

    _handshake: InitializeResult | None = None
    # The answer to `server/discover`, as the server sent it.
    _discovered: dict[str, Any] | None = None
    # The same as a model, once the program has seen it or given it.
    _discover_result: DiscoverResult | None = None
    _connection: Connection | None = None
    # Whether `server/discover` was sent: if it is refused, the connection can still begin.
    _has_probed: bool = False

    if TYPE_CHECKING:
        _task_handlers: ExperimentalTaskHandlers | None
        _models: Any
        _client_info: Implementation | None
        _sampling_callback: Any
        _sampling_capabilities: SamplingCapability | None
        _elicitation_callback: Any
        _list_roots_callback: Any
        _read_stream: Any
        _write_stream: Any

        async def send_request(self, request: Any, result_type: Any) -> Any:
            """Implemented by the session.

            Args:
                request: The request.
                result_type: The model of the result.
            """
            ...

        async def _ask(
            self, method: str, params: str | None, limit: float | None, progress_callback: Any
        ) -> Any: ...

        def _failed(self, failure: tuple[str, int, str, Any], what: str, limit: float | None) -> McpError: ...

        def _in_time(self, error: McpError, method: str) -> McpError: ...

        def _limit(self, given: Any) -> float | None: ...

        def _heard(self) -> Any: ...

    async def initialize(self) -> InitializeResult:
        """Connect: begin the session with the handshake of `initialize`. Once it has begun, the earlier
        answer is returned. If `Client` chose 2026-07-28, which has no handshake, `server/discover` is
        sent instead, and its answer is returned in the shape of an `initialize` result.

        Raises:
            McpError: The server refused.
            ConnectError: The server cannot be reached.
        """
        m = self._models

        request = m.ClientRequest(m.InitializeRequest(params=self._introduction()))
        result: InitializeResult = await self.send_request(request, m.InitializeResult)
        return result

    @probed
    async def discover(self) -> DiscoverResult:
        """Connect with 2026-07-28, which has no handshake: ask the server what it is and can do. If
        the session did that already, the earlier answer is returned.

        Raises:
            McpError: The server refused, or has only older revisions.
            ConnectError: The server cannot be reached.
        """
        if self._discovered is None:
            connection, item = await self._probe()
            revision = connection.describe().get("revision")
            self._agreed(item.result, revision or MODERN_REVISIONS[-1])
        found = self.discover_result
        assert found is not None
        return found

    async def _probe(self) -> tuple[Connection, ResponseItem]:
        """Ask `server/discover` on a connection on which nothing has begun."""
        connection = self._connection if self._has_probed else None
        connection = connection or self._open(model_dict(self._introduction()))
        self._has_probed = True
        item = await connection.discover()
        if item.failure is not None:
            raise self._refused(item.failure)
        return connection, item

    def adopt(self, result: DiscoverResult) -> None:
        """Connect without asking the server anything, with what it answered in an earlier session.

        Args:
            result: The `discover_result` of the earlier session.

        Raises:
            RuntimeError: The server has no revision without a handshake that this package knows.
            UsageError: The argument is not a `DiscoverResult`, or the session has begun.
        """
        offered = getattr(result, "supportedVersions", None)
        if offered is None:
            raise UsageError(f"a DiscoverResult can be adopted, not {type(result).__name__}: await initialize()")
        mutual = [revision for revision in MODERN_REVISIONS if revision in offered]
        if not mutual:
            ours = list(MODERN_REVISIONS)
            raise RuntimeError(f"No mutually supported modern protocol version (server: {offered}, client: {ours})")
        answer = model_dict(result)
        self._open(model_dict(self._introduction())).adopt(mutual[-1], dumps(answer))
        self._agreed(answer, mutual[-1])
        self._discover_result = result

    def _agreed(self, answer: Mapping[str, Any], revision: str) -> None:
        """Convert an answer to `server/discover` to the shape of one to `initialize` too."""
        m = self._models

        meta: dict[str, Any] = answer.get("_meta") or {}
        info: Any = meta.get(SERVER_INFO) or {"name": "", "version": ""}
        shown: dict[str, Any] = {**answer, "protocolVersion": revision, "serverInfo": info}
        shown.pop("supportedVersions", None)
        self._handshake = m.InitializeResult.model_validate(shown)
        self._discovered = dict(answer)

    def _introduction(self) -> InitializeRequestParams:
        m = self._models

        info = m.Implementation.model_validate(model_dict(self._client_info or default_client_info()))
        found: InitializeRequestParams = m.InitializeRequestParams(
            protocolVersion=LATEST_LEGACY, capabilities=self._capabilities(), clientInfo=info
        )
        return found

    def _capabilities(self) -> Any:
        m = self._models
        sampling = elicitation = roots = None
        if self._sampling_callback is not default_sampling_callback:
            sampling = self._sampling_capabilities or m.SamplingCapability()
        if self._elicitation_callback is not default_elicitation_callback:
            elicitation = m.ElicitationCapability(
                form=m.FormElicitationCapability(), url=m.UrlElicitationCapability()
            )
        if self._list_roots_callback is not default_list_roots_callback:
            roots = m.RootsCapability(listChanged=True)
        more: dict[str, Any] = {"extensions": self._extensions.shown} if self._extensions.shown else {}
        tasks = self._task_handlers.build_capability() if self._task_handlers is not None else None
        if tasks is not None:
            more["tasks"] = tasks
        return m.ClientCapabilities(sampling=sampling, elicitation=elicitation, roots=roots, **more)

    def _refused_in_words(self) -> list[str]:
        """Requests that the engine would refuse by itself, but that the official package
        leaves to a callback.
        """
        if not face.current.asks_callbacks:
            return []
        said = self._capabilities()
        questions = [
            (name, row.capability[0])
            for name, row in METHODS.items()
            if row.is_legacy and row.is_request and row.declared_by == "client"
        ]
        return [method for method, capability in questions if getattr(said, capability, None) is None]

    def _patience(self) -> dict[str, float]:
        """How long the handshake may take, if the program has a limit for all requests."""
        limit = self._limit(None)
        if limit is None:
            return {}
        limit = max(limit, HANDSHAKE_SECONDS)
        return {"request_timeout": limit, "request_max": limit}

    def _open(self, params: dict[str, Any]) -> Connection:
        """Open a connection on which nothing was sent yet."""
        if self._connection is not None:
            raise UsageError("the handshake has begun before: make a new session")
        asked = params.get("protocolVersion", LATEST_LEGACY)
        protocol = self._protocol or os.environ.get("MCPBOLT_PROTOCOL")
        if protocol is None:
            protocol = "legacy" if asked == LATEST_LEGACY else asked
        options: dict[str, Any] = {
            "client_info": params.get("clientInfo", {}),
            "capabilities": params.get("capabilities", {}),
            "protocol": protocol,
            "request_timeout": None,
            "request_max": None,
            # Requests for capabilities that the server did not declare are sent; the server
            # refuses them.
            "strict": False,
            "cache": False,
            "result_types": list(self._extensions.claims),
            "modern_extensions": self._extensions.claiming,
            **({"extension_methods": self._extensions.rows} if self._extensions.rows else {}),
            "methods": [*self._refused_in_words(), *(ABOUT_TASKS if self._task_handlers is not None else ())],
            **self._extensions.engine_options,
            **face.current.norm_option(),
            **(self._extra_options or {}),
            **self._patience(),
            **(self._options or {}),
        }
        session: Any = self
        connection = self._connection = Connection(session, FACE, options, self._validate_result)
        if self._memory is not None:
            connection.open_memory(self._memory)
        else:
            reach = reach_of(self._read_stream, self._write_stream)
            connection.open(self._heard(), self._write_stream, reach)
        return connection

    async def _initialized(self, params: dict[str, Any]) -> InitializeResult:
        if self._handshake is not None and self._discovered is None:
            # Programs do this with sessions of a helper that did it already.
            return self._handshake_again()
        if self._connection is not None and self._has_probed and self._discovered is None:
            return await self._shaken(self._connection, "legacy")
        if self._connection is not None and self._handshake is None and face.current.skips_handshake:
            return await self._handshake_late(params)
        asked = params.get("protocolVersion", LATEST_LEGACY)
        if face.current.skips_handshake and asked not in LEGACY_REVISIONS and asked not in MODERN_REVISIONS:
            # The server says what it thinks of it.
            self._begin_without_handshake()
            return await self._handshake_late(params)
        if self._outlives_handshake():
            # The engine ends a connection whose handshake does not come to its end in time.
            self._begin_without_handshake()
            return await self._handshake_late(params, self._limit(None))
        return await self._shaken(self._open(params), None)

    async def _shaken(self, connection: Connection, protocol: str | None) -> InitializeResult:
        item = await connection.initialize(protocol)
        if item.failure is not None:
            raise self._refused(item.failure)
        about = connection.describe()
        if about.get("era") == "modern":
            self._discovered = about.get("handshake")
        agreed: InitializeResult = self._models.InitializeResult.model_validate(item.result)
        self._handshake = agreed
        return agreed

    def _begin_without_handshake(self) -> None:
        """Begin as if the server had agreed on the newest revision that has a handshake."""
        nothing: dict[str, Any] = {"supportedVersions": [LATEST_LEGACY], "capabilities": {}}
        self._open(model_dict(self._introduction())).adopt(LATEST_LEGACY, dumps(nothing))

    def _outlives_handshake(self) -> bool:
        """Whether the session may be used after a handshake that took too long: over a program's
        own streams, where no server has to be started first.
        """
        limit = self._limit(None)
        if not face.current.skips_handshake or limit is None or limit >= HANDSHAKE_SECONDS:
            return False
        # A `Client` chooses the era too, for which the engine has to do the handshake.
        alone = self._protocol is None and self._memory is None
        return alone and getattr(self._read_stream, "reach", None) is None

    async def _handshake_late(self, params: dict[str, Any], limit: float | None = None) -> InitializeResult:
        """Do the handshake on a connection that has sent requests without it."""
        m = self._models

        assert self._connection is not None
        answer = await self._ask("initialize", dumps(params), limit, None)
        agreed: InitializeResult = m.InitializeResult.model_validate(answer)
        self._handshake = agreed
        await self._connection.send("notifications/initialized", None)
        return agreed

    def _handshake_again(self) -> InitializeResult:
        connection, known = self._connection, self._handshake
        if connection is not None and connection.over.is_set():
            failure = connection.failure or ("closed", -32000, "the connection is closed", None)
            raise self._failed(failure, "ClientRequest", None)
        assert known is not None
        return known

    def _refused(self, failure: tuple[str, int, str, Any]) -> McpError:
        error = self._in_time(self._failed(failure, "ClientRequest", None), "initialize")
        if error.kind != UnsupportedProtocolVersionError.kind or type(error) not in (McpError, MCPError):
            return error
        data: Any = error.data
        offered: Any = cast("dict[str, Any]", data).get("supported") if isinstance(data, dict) else None
        alone = not face.current.own_words and isinstance(offered, list) and len(cast("Any", offered)) == 1
        words = f"Unsupported protocol version from the server: {offered[0] if alone else error.message}"
        return UnsupportedProtocolVersionError(error.code, words, cast("Any", data))

    # About the server

    @property
    def handshake(self) -> InitializeResult | None:
        """What the server said about itself, in the shape of an `initialize` result for every
        revision; `None` before the handshake.
        """
        return self._handshake

    @property
    def initialize_result(self) -> InitializeResult | None:
        """The server's answer to `initialize`; `None` if `server/discover` was asked instead."""
        return None if self._discovered is not None else self._handshake

    @property
    def discover_result(self) -> DiscoverResult | None:
        """The server's answer to `server/discover`; `None` if `initialize` was sent instead. Pass it
        to a later `Client` as `prior_discover` to connect without asking the server.
        """
        if self._discovered is None:
            return None
        if self._discover_result is None:
            self._discover_result = self._models.DiscoverResult.model_validate(self._discovered)
        return self._discover_result

    @property
    def protocol_version(self) -> str | None:
        """The protocol revision that both sides agreed on; `None` before the handshake."""
        return None if self._handshake is None else str(self._handshake.protocolVersion)

    @property
    def server_info(self) -> Implementation | None:
        """Name and version of the server; `None` if it did not send them."""
        info = None if self._handshake is None else self._handshake.serverInfo
        return info if info is not None and info.name else None

    @property
    def server_capabilities(self) -> ServerCapabilities | None:
        """The capabilities that the server declared; `None` before the handshake."""
        return None if self._handshake is None else self._handshake.capabilities

    def get_server_capabilities(self) -> ServerCapabilities | None:
        """The capabilities that the server declared; `None` before the handshake."""
        return self.server_capabilities

    @property
    def instructions(self) -> str | None:
        """The server's instructions for a language model; `None` if it has none."""
        return None if self._handshake is None else self._handshake.instructions
