"""`Host`: many servers under names, their tools in one list.

Owns: which servers there are, and the merged names. Must not know: how a server is
reached, which a `Client` does, and how its list is kept fresh, which a `Member` does.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypedDict, cast

from anyio import CancelScope, create_task_group

from ..shared.exceptions import SessionClosed, UsageError
from ._config import HostConfig, HostServerConfig, read_config, servers_of, way_to
from ._member import Member
from .client import Client

if TYPE_CHECKING:
    from datetime import timedelta

    from typing_extensions import Self, Unpack

    from ..shared.session import ProgressFnT
    from ..types import CallToolResult, Implementation, LoggingLevel, SamplingCapability, Tool
    from ._callbacks import ElicitationFnT, ListRootsFnT, LoggingFnT, MessageHandlerFnT, SamplingFnT
    from ._validating import ValidateResult
    from .caching import CacheConfig
    from .extension import ClientExtension
    from .session import ClientSession

__all__ = ["ClientOptions", "Host", "HostConfig", "HostServerConfig", "HostTool"]

logger: logging.Logger = logging.getLogger("client")


@dataclass(frozen=True)
class HostTool:
    """A tool of one of a host's servers."""

    name: str
    """Its name in the host: its own, or `server_name` if several servers have one of that
    name."""

    server: str
    """The name of the server the tool belongs to."""

    tool: Tool
    """The tool as its server describes it. What the server says of it is a claim."""


class ClientOptions(TypedDict, total=False):
    """What the clients of a host are made with; each means what the attribute of `Client`
    means that has its name, and has the default that one has.
    """

    read_timeout_seconds: float | None
    """Longest wait for an answer, in seconds. Without it 60, which progress prolongs up to 600."""

    sampling_callback: SamplingFnT | None
    """Has a model write a message for a server."""

    sampling_capabilities: SamplingCapability | None
    """The sampling capabilities to declare, for what the sampling callback can do beside plain text."""

    list_roots_callback: ListRootsFnT | None
    """Answers `roots/list`: the folders servers may work in."""

    logging_callback: LoggingFnT | None
    """Takes the servers' log messages."""

    message_handler: MessageHandlerFnT | None
    """Takes notifications, requests without a handler, and faults."""

    client_info: Implementation | None
    """Name and version of this program, as servers see them."""

    mode: str
    """`auto`, the default, tries the modern era first; `legacy` opens with `initialize`; a
    revision insists on it."""

    elicitation_callback: ElicitationFnT | None
    """Answers elicitation requests by asking the user."""

    input_required_max_rounds: int
    """Most rounds of questions of one call on the modern era; 8 without it."""

    cache: bool | CacheConfig | None
    """Whether results are kept for as long as servers allow; they are without it."""

    extensions: Sequence[ClientExtension] | None
    """Extensions the clients understand."""

    log_level: LoggingLevel | None
    """Which log messages are wanted with each request, on the modern era; none without it."""

    validate_result: ValidateResult | None
    """Is given method, name and result before the caller gets a result, and says why it is
    refused, or `None`."""

    options: dict[str, Any] | None
    """Further options of the engine, by name."""


Prepare = Callable[[Client, str], None]
ToolsChanged = Callable[[list[HostTool]], None]
OnError = Callable[[Exception, str], None]


def log_error(error: Exception, server: str) -> None:
    """Logs trouble with a server, where the program takes no notice of it."""
    logger.warning("The server %s: %s", server, error)


class Host:
    """Many servers under names, one list of tools. A server that fails holds up no other.

    As a context manager it connects to the servers it was given, all at once, and closes
    what is open in the end. Those that cannot be reached are in `failures`.

    Example:
        ```python
        async with Host.from_file("mcp.json") as host:
            for server, error in host.failures.items():
                print(f"{server} is left out: {error}")
            for tool in host.tools:
                print(tool.name, tool.tool.description)
            await host.call_tool("search", {"query": "rust"})
        ```

    Args:
        config: An `mcpServers` object, as the files of desktop hosts hold it; without one
            the host begins without servers.
        prepare: Is given each client and the name of its server before it connects, to
            set what is different for that server.
        on_tools_changed: Told the merged list when it is another.
        on_error: Told what goes wrong with a server beside its requests; logged without it.
        options: What the clients are made with, by name; see `ClientOptions`.

    Raises:
        UsageError: The config is not an `mcpServers` object, or an option is unknown.
    """

    def __init__(
        self,
        config: HostConfig | Mapping[str, Any] | None = None,
        *,
        prepare: Prepare | None = None,
        on_tools_changed: ToolsChanged | None = None,
        on_error: OnError | None = None,
        **options: Unpack[ClientOptions],
    ) -> None:
        for name in options.keys() - ClientOptions.__optional_keys__:
            raise UsageError(f"a host has no option {name}: mcpbolt.client.host.ClientOptions has those there are")
        self._config = {} if config is None else servers_of(config)
        self._prepare, self._on_tools_changed, self._on_error = prepare, on_tools_changed, on_error or log_error
        self._options = options
        # In the order in which they were asked for; without a member while they connect.
        self._members: dict[str, Member | None] = {}
        self._failures: dict[str, Exception] = {}

    @classmethod
    def from_file(
        cls,
        path: str | PathLike[str],
        *,
        prepare: Prepare | None = None,
        on_tools_changed: ToolsChanged | None = None,
        on_error: OnError | None = None,
        **options: Unpack[ClientOptions],
    ) -> Self:
        """A host with the servers of a JSON file that holds an `mcpServers` object.

        Raises:
            OSError: The file cannot be read.
            UsageError: It holds no such object.
        """
        return cls(
            read_config(path), prepare=prepare, on_tools_changed=on_tools_changed, on_error=on_error, **options
        )

    # Life

    async def __aenter__(self) -> Self:
        self._failures.clear()
        try:
            await self._add_all(self._config)
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections, also while the caller is cancelled. Idempotent, bounded."""
        members, self._members = self._members, {}
        with CancelScope(shield=True):
            async with create_task_group() as group:
                for member in members.values():
                    if member is not None:
                        group.start_soon(member.close)

    # Servers

    async def add(self, name: str, server: HostServerConfig | Any) -> ClientSession:
        """Connect to a server under a name and learn its tools. One of the same name is
        replaced once this one is connected.

        Args:
            name: What the host calls it.
            server: An entry of an `mcpServers` object, or whatever `Client` takes: a URL, a
                command, a server object of this process.

        Raises:
            ConnectError: The server cannot be reached.
            OSError: The program does not exist, or may not be run.
            McpError: The server refused.
            UsageError: The entry says not, or not rightly, where the server is.
        """
        self._members.setdefault(name, None)
        try:
            member = await self._connected(name, server)
        except BaseException:
            if name in self._members and self._members[name] is None:
                del self._members[name]
            raise
        if name not in self._members:
            await member.close()
            raise SessionClosed(f"the host was closed, or {name} removed, while it connected")
        old, self._members[name] = self._members[name], member
        self._failures.pop(name, None)
        if old is not None:
            await old.close()
        self._changed(member)
        return member.session

    async def _connected(self, name: str, server: Any) -> Member:
        headers: dict[str, Any] | None = None
        if isinstance(server, Mapping):
            server, headers = way_to(name, cast("Mapping[str, Any]", server))
        client = Client(server, headers=headers, **self._options)
        if self._prepare is not None:
            self._prepare(client, name)
        member = Member(client, self._changed, lambda error: self._report(error, name))
        await member.open()
        return member

    async def add_config(self, config: HostConfig | Mapping[str, Any] | str | PathLike[str]) -> dict[str, Exception]:
        """Connect to all servers of an `mcpServers` object at once, or of a JSON file that
        holds one; those with `"disabled": true` are left out.

        Returns:
            Why those that failed did, by their names. They are in `failures` too.

        Raises:
            OSError: The file cannot be read.
            UsageError: The config is not an `mcpServers` object.
        """
        return await self._add_all(servers_of(config if isinstance(config, Mapping) else read_config(config)))

    async def _add_all(self, servers: Mapping[str, Any]) -> dict[str, Exception]:
        failed: dict[str, Exception] = {}

        async def attempt(name: str, server: Mapping[str, Any]) -> None:
            try:
                await self.add(name, server)
            except Exception as error:
                failed[name] = error

        async with create_task_group() as group:
            for name, server in servers.items():
                if isinstance(server, Mapping):
                    # Their order is that of the file, whichever begins first.
                    self._members.setdefault(name, None)
                    group.start_soon(attempt, name, cast("Mapping[str, Any]", server))
                else:
                    failed[name] = UsageError(f"mcpServers.{name} has to be an object with a command or a url")
        self._failures.update(failed)
        return failed

    async def remove(self, server: str) -> None:
        """Close the connection to a server and forget it; an unknown name is ignored."""
        self._failures.pop(server, None)
        if server not in self._members:
            return
        member = self._members.pop(server)
        if member is not None:
            await member.close()
            self._tell()

    @property
    def servers(self) -> list[str]:
        """The names of the servers that were connected, in the order they were asked for."""
        return list(self.sessions)

    @property
    def sessions(self) -> dict[str, ClientSession]:
        """The sessions by the names of their servers. One that ended stays, with the state
        `closed`, until its server is removed or added again.
        """
        return {name: member.session for name, member in self._members.items() if member is not None}

    @property
    def failures(self) -> dict[str, Exception]:
        """Why servers of a config could not be reached, by their names."""
        return dict(self._failures)

    # Tools

    @property
    def tools(self) -> list[HostTool]:
        """All tools of all live servers. Names that several servers use get their server's
        name in front: `server_name`.
        """
        live = [(name, member) for name, member in self._members.items() if member is not None and member.live]
        every = [(name, tool) for name, member in live for tool in member.tools]
        uses: dict[str, int] = {}
        for _, tool in every:
            uses[tool.name] = uses.get(tool.name, 0) + 1
        return [
            HostTool(tool.name if uses[tool.name] == 1 else f"{server}_{tool.name}", server, tool)
            for server, tool in every
        ]

    def find(self, name: str) -> HostTool | None:
        """The tool that has this name in the host."""
        return next((tool for tool in self.tools if tool.name == name), None)

    async def call_tool(
        self,
        name: str,
        arguments: dict[str, Any] | None = None,
        *,
        read_timeout_seconds: float | timedelta | None = None,
        progress_callback: ProgressFnT | None = None,
        meta: dict[str, Any] | None = None,
    ) -> CallToolResult:
        """Call a tool by its name in the host. See `Client.call_tool`.

        Raises:
            UsageError: No live server has a tool of that name.
        """
        found = self.find(name)
        member = None if found is None else self._members[found.server]
        if found is None or member is None:
            raise UsageError(f"no server has a tool {name}: Host.tools lists those there are")
        return await member.client.call_tool(
            found.tool.name,
            arguments,
            read_timeout_seconds=read_timeout_seconds,
            progress_callback=progress_callback,
            meta=meta,
        )

    def _changed(self, member: Member) -> None:
        if member in self._members.values():
            self._tell()

    def _tell(self) -> None:
        if self._on_tools_changed is None:
            return
        try:
            self._on_tools_changed(self.tools)
        except Exception:
            logger.exception("Uncaught exception in on_tools_changed")

    def _report(self, error: Exception, server: str) -> None:
        try:
            self._on_error(error, server)
        except Exception:
            logger.exception("Uncaught exception in on_error")
