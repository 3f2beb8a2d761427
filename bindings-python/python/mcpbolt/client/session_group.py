"""Several servers used as one: their tools, resources and prompts in one place."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, Union, overload

from pydantic import BaseModel
from typing_extensions import deprecated

from ..shared.exceptions import McpError
from .session import (
    ClientSession,
    ElicitationFnT,
    ListRootsFnT,
    LoggingFnT,
    MessageHandlerFnT,
    SamplingFnT,
)
from .sse import sse_client
from .stdio import StdioServerParameters, stdio_client
from .streamable_http import _streamablehttp_client  # pyright: ignore[reportPrivateUsage]

if TYPE_CHECKING:
    from typing_extensions import Self

    from ..shared.session import ProgressFnT
    from ..types import CallToolResult, Implementation, Prompt, Resource, Tool

__all__ = [
    "ClientSessionGroup",
    "ClientSessionParameters",
    "ServerParameters",
    "SseServerParameters",
    "StreamableHttpParameters",
]

logger: logging.Logger = logging.getLogger("client")

INVALID_PARAMS = -32602


class SseServerParameters(BaseModel):
    """How to connect to a server over the older transport, HTTP+SSE.

    .. deprecated:: 2025-03-26
       HTTP+SSE, SEP-2596; earliest removal three months after SEP-2596 is final. Use
       streamable HTTP.
    """

    url: str
    """The URL of the event stream."""
    headers: dict[str, Any] | None = None
    """HTTP headers to send with every request. Default: none."""
    timeout: float = 5
    """Longest time to connect, in seconds. Default: 5."""
    sse_read_timeout: float = 60 * 5
    """Longest silence on the event stream, in seconds; then the session ends. Default: no limit. With
    any value but 300, requests go through `httpx`.
    """


class StreamableHttpParameters(BaseModel):
    """How to connect to a server over streamable HTTP."""

    url: str
    """The URL of the endpoint, such as `http://localhost:8000/mcp`."""
    headers: dict[str, Any] | None = None
    """HTTP headers to send with every request. Default: none."""
    timeout: timedelta = timedelta(seconds=30)
    """Longest time to connect. Default: 30 seconds."""
    sse_read_timeout: timedelta = timedelta(seconds=60 * 5)
    """Longest silence while a response is read. Default: no limit. With any value but 5 minutes,
    requests go through `httpx`.
    """
    terminate_on_close: bool = True
    """Whether to end the session on the server too, with a DELETE request, when the connection is
    closed. Default: yes.
    """


ServerParameters = Union[StdioServerParameters, SseServerParameters, StreamableHttpParameters]
NameHook = Callable[[str, "Implementation"], str]


@dataclass
class ClientSessionParameters:
    """Options for the sessions of a group. Each has the meaning of the argument of
    `ClientSession` with the same name.
    """

    read_timeout_seconds: timedelta | None = None
    """Longest wait for an answer; progress does not extend it. Default: no limit."""
    sampling_callback: SamplingFnT | None = None
    """Async function that is called when the server asks for a message from a language model. Default:
    none, and such requests are refused.
    """
    elicitation_callback: ElicitationFnT | None = None
    """Async function that is called when the server asks the user a question. Default: none, and such
    requests are refused.
    """
    list_roots_callback: ListRootsFnT | None = None
    """Async function that is called when the server asks for the roots that it may work on. Default:
    none, and such requests are refused.
    """
    logging_callback: LoggingFnT | None = None
    """Async function that is called with each log message of the server. Default: they are ignored."""
    message_handler: MessageHandlerFnT | None = None
    """Async function that is called with each notification, with each request that no callback
    answers, and with each transport error, as an exception. While it is slow, the latest 10,000 wait
    and older ones are dropped. Default: they are ignored.
    """
    client_info: Implementation | None = None
    """The name and version of this program, sent to the server. Default: `mcp`, version `0.1.0`."""


class _Found:
    """The tools, resources and prompts of one server, by their names in the group."""

    def __init__(self) -> None:
        self.prompts: dict[str, Prompt] = {}
        self.resources: dict[str, Resource] = {}
        self.tools: dict[str, Tool] = {}


class ClientSessionGroup:
    """Connections to several servers, whose tools, resources and prompts are used as those of one.

    Args:
        exit_stack: The stack that closes the connections. Default: leaving the group's context
            closes them.
        component_name_hook: Called with the name of each tool, resource and prompt, and the name and
            version of its server; returns the name to use in the group. Default: names stay as they
            are, and a server that repeats one is refused.
    """

    # Another line of the official package has others.
    _session_class: ClassVar[type[ClientSession]] = ClientSession
    _default_parameters: ClassVar[type[Any]] = ClientSessionParameters

    def __init__(
        self, exit_stack: contextlib.AsyncExitStack | None = None, component_name_hook: NameHook | None = None
    ) -> None:
        self._tools: dict[str, Tool] = {}
        self._resources: dict[str, Resource] = {}
        self._prompts: dict[str, Prompt] = {}
        self._sessions: dict[ClientSession, _Found] = {}
        self._tool_to_session: dict[str, ClientSession] = {}
        self._owns_exit_stack = exit_stack is None
        self._exit_stack = exit_stack or contextlib.AsyncExitStack()
        self._session_exit_stacks: dict[ClientSession, contextlib.AsyncExitStack] = {}
        self._component_name_hook = component_name_hook

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> bool | None:
        if self._owns_exit_stack:
            await self._exit_stack.aclose()
        stacks, self._session_exit_stacks = self._session_exit_stacks, {}
        for stack in stacks.values():
            await stack.aclose()
        return None

    @property
    def sessions(self) -> list[ClientSession]:
        """The sessions, in the order in which they were connected."""
        return list(self._sessions)

    @property
    def prompts(self) -> dict[str, Prompt]:
        """All prompts, by their names in the group."""
        return self._prompts

    @property
    def resources(self) -> dict[str, Resource]:
        """All resources, by their names in the group."""
        return self._resources

    @property
    def tools(self) -> dict[str, Tool]:
        """All tools, by their names in the group."""
        return self._tools

    @overload
    async def call_tool(
        self,
        name: str,
        arguments: dict[str, Any] | None = None,
        read_timeout_seconds: timedelta | None = None,
        progress_callback: ProgressFnT | None = None,
        *,
        meta: dict[str, Any] | None = None,
        input_responses: Mapping[str, Any] | None = None,
        request_state: str | None = None,
        allow_input_required: bool = False,
    ) -> CallToolResult: ...
    @overload
    @deprecated("The 'args' parameter is deprecated. Use 'arguments' instead.")
    async def call_tool(
        self,
        name: str,
        *,
        args: dict[str, Any],
        read_timeout_seconds: timedelta | None = None,
        progress_callback: ProgressFnT | None = None,
        meta: dict[str, Any] | None = None,
    ) -> CallToolResult: ...
    async def call_tool(
        self,
        name: str,
        arguments: dict[str, Any] | None = None,
        read_timeout_seconds: timedelta | None = None,
        progress_callback: ProgressFnT | None = None,
        *,
        meta: dict[str, Any] | None = None,
        args: dict[str, Any] | None = None,
        input_responses: Mapping[str, Any] | None = None,
        request_state: str | None = None,
        allow_input_required: bool = False,
    ) -> CallToolResult:
        """Call a tool by its name in the group. If the tool itself fails, the result has `isError`.

        Args:
            name: The tool's name in the group.
            arguments: The arguments by name. Default: none.
            read_timeout_seconds: Longest wait for the answer; progress does not extend it. Default:
                that of the session.
            progress_callback: Async function that is called with `progress`, `total` and `message`
                of each progress report. Default: no reports are asked for.
            meta: The `_meta` of the request. Default: none.
            args: An older name of `arguments`, deprecated. Default: none.
            input_responses: The answers to the questions of an earlier `InputRequiredResult`, by
                the keys of the questions. Default: none.
            request_state: The `requestState` of that `InputRequiredResult`. Default: none.
            allow_input_required: Whether to return questions of the server as an
                `InputRequiredResult`, for the caller to answer (2026-07-28). Default: no, callbacks
                answer them.

        Raises:
            KeyError: The group has no such tool.
            McpError: The server answered with an error, or did not answer in time.
        """
        session = self._tool_to_session[name]
        more: dict[str, Any] = {
            "input_responses": input_responses,
            "request_state": request_state,
            "allow_input_required": allow_input_required or None,
        }
        found: Any = await session.call_tool(
            self.tools[name].name,
            arguments if args is None else args,
            read_timeout_seconds=read_timeout_seconds,
            progress_callback=progress_callback,
            meta=meta,
            **{given: value for given, value in more.items() if value is not None},
        )
        result: CallToolResult = found
        return result

    async def connect_to_server(
        self, server_params: ServerParameters, session_params: ClientSessionParameters | None = None
    ) -> ClientSession:
        """Connect to a server and add its tools, resources and prompts to the group.

        Args:
            server_params: How to connect to the server.
            session_params: Options for the session. Default: the defaults of
                `ClientSessionParameters`.

        Raises:
            McpError: The server refused, or one of its names is in use in the group.
            ConnectError: The server cannot be reached.
        """
        info, session = await self._establish_session(server_params, session_params or self._default_parameters())
        return await self.connect_with_session(info, session)

    async def connect_with_session(self, server_info: Implementation, session: ClientSession) -> ClientSession:
        """Add the tools, resources and prompts of an open session's server to the group.

        Args:
            server_info: The name and version of the server.
            session: The session, after its handshake.

        Raises:
            McpError: One of its names is in use in the group.
        """
        found = await self._ask(server_info, session)
        taken = [
            ("prompts", found.prompts.keys() & self._prompts.keys()),
            ("resources", found.resources.keys() & self._resources.keys()),
            ("tools", found.tools.keys() & self._tools.keys()),
        ]
        for kind, names in taken:
            if names:
                raise McpError(INVALID_PARAMS, f"{names} already exist in group {kind}.")
        self._sessions[session] = found
        self._prompts.update(found.prompts)
        self._resources.update(found.resources)
        self._tools.update(found.tools)
        self._tool_to_session.update(dict.fromkeys(found.tools, session))
        return session

    async def disconnect_from_server(self, session: ClientSession) -> None:
        """Remove a server and everything it offers from the group. A connection that the group
        opened is closed.

        Args:
            session: The session.

        Raises:
            McpError: The session does not belong to the group.
        """
        found = self._sessions.pop(session, None)
        stack = self._session_exit_stacks.pop(session, None)
        if found is None and stack is None:
            raise McpError(INVALID_PARAMS, "Provided session is not managed or already disconnected.")
        if found is not None:
            for name in found.prompts:
                self._prompts.pop(name, None)
            for name in found.resources:
                self._resources.pop(name, None)
            for name in found.tools:
                self._tools.pop(name, None)
                self._tool_to_session.pop(name, None)
        if stack is not None:
            await stack.aclose()

    async def _establish_session(
        self, server_params: ServerParameters, session_params: ClientSessionParameters
    ) -> tuple[Implementation, ClientSession]:
        stack = contextlib.AsyncExitStack()
        try:
            read, write = await stack.enter_async_context(self._streams(server_params))
            session = self._session_class(
                read,
                write,
                session_params.read_timeout_seconds,
                session_params.sampling_callback,
                session_params.elicitation_callback,
                session_params.list_roots_callback,
                session_params.logging_callback,
                session_params.message_handler,
                session_params.client_info,
            )
            await stack.enter_async_context(session)
            result = await session.initialize()
        except BaseException:
            await stack.aclose()
            raise
        self._session_exit_stacks[session] = stack
        await self._exit_stack.enter_async_context(stack)
        return result.serverInfo, session

    async def _ask(self, server_info: Implementation, session: ClientSession) -> _Found:
        found = _Found()

        def name(own: str) -> str:
            hook = self._component_name_hook
            return hook(own, server_info) if hook else own

        try:
            found.prompts = {name(prompt.name): prompt for prompt in (await session.list_prompts()).prompts}
        except McpError as error:
            logger.warning("Could not fetch prompts: %s", error)
        try:
            listed = (await session.list_resources()).resources
            found.resources = {name(resource.name): resource for resource in listed}
        except McpError as error:
            logger.warning("Could not fetch resources: %s", error)
        try:
            found.tools = {name(tool.name): tool for tool in (await session.list_tools()).tools}
        except McpError as error:
            logger.warning("Could not fetch tools: %s", error)
        return found

    @contextlib.asynccontextmanager
    async def _streams(self, server: Any) -> AsyncGenerator[tuple[Any, Any], None]:
        if isinstance(server, StdioServerParameters):
            async with stdio_client(server) as streams:
                yield streams
        elif isinstance(server, SseServerParameters):
            async with sse_client(server.url, server.headers, server.timeout, server.sse_read_timeout) as streams:
                yield streams
        else:
            way = _streamablehttp_client(
                server.url, server.headers, server.timeout, server.sse_read_timeout, server.terminate_on_close
            )
            async with way as (read, write, _):
                yield read, write
