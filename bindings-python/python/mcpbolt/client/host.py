"""`Host`: several servers under names, and their tools in one list.

Owns: which servers there are, and the merged list. Must not know: how a server is reached (a
`Client` does that), how its list of tools is kept up to date (a `Member` does), or by which rule
tools are told apart (the engine has it).
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os import PathLike
from types import TracebackType
from typing import TYPE_CHECKING, Any, cast

from anyio import CancelScope, create_task_group

from .._mcpbolt import host_names
from ..shared.exceptions import SessionClosed, UsageError
from ._client_options import ClientOptions
from ._config import HostConfig, HostServerConfig, read_config, servers_of, way_to
from ._member import Member
from .client import Client

if TYPE_CHECKING:
    from datetime import timedelta

    from typing_extensions import Self, Unpack

    from ..shared.session import ProgressFnT
    from ..types import CallToolResult, Tool
    from ._ways import Source
    from .session import ClientSession

__all__ = ["ClientOptions", "Host", "HostConfig", "HostServerConfig", "HostTool"]

logger: logging.Logger = logging.getLogger("client")


@dataclass(frozen=True)
class HostTool:
    """A tool of one of a host's servers."""

    name: str
    """The tool's name in the host: its own name or, if several servers have a tool of that name, or
    another tool got that name in this way, the server's name and its own, as in `files_search`.
    """

    server: str
    """The host's name for the tool's server."""

    tool: Tool
    """The tool as its server describes it; the server may lie."""


Prepare = Callable[[Client, str], None]
ToolsChanged = Callable[[list[HostTool]], None]
OnError = Callable[[Exception, str], None]


def log_error(error: Exception, server: str) -> None:
    """Log an error of a server. The default of `on_error`.

    Args:
        error: The error.
        server: The server's name.
    """
    logger.warning("The server %s: %s", server, error)


class Host:
    """Connections to several servers, each with a name, and one list of all their tools. A server
    that fails does not affect the others.

    As an async context manager it connects to all servers of `config` at once, and closes all
    connections at the end. The errors of servers that cannot be reached are in `failures`.

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
        config: `{"mcpServers": {…}}`, as in the configuration files of desktop apps. Default: the
            host begins without servers.
        prepare: Called with each `Client` and the name of its server before it connects, to set
            attributes of this client alone. Default: none.
        on_tools_changed: Called with the list of all tools whenever it has changed. Default: none.
        on_error: Called with each error that belongs to no request, and the name of its server.
            Default: they are logged as warnings.
        options: Options for all clients, by name; see `ClientOptions`.

    Raises:
        UsageError: The config is not an `mcpServers` object, or an option does not exist.
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
        # In the order in which they were added; `None` while a server is still connecting.
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
        """Make a host with the servers of a JSON file that holds an `mcpServers` object.

        Args:
            path: The path of the file.
            prepare: Called with each `Client` and the name of its server before it connects.
                Default: none.
            on_tools_changed: Called with the list of all tools whenever it has changed. Default:
                none.
            on_error: Called with each error that belongs to no request, and the name of its server.
                Default: they are logged as warnings.
            **options: Options for all clients, by name; see `ClientOptions`.

        Raises:
            OSError: The file cannot be read.
            UsageError: The file holds no `mcpServers` object.
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
        """Close all connections, even if the caller is being cancelled. May be called more than
        once.
        """
        members, self._members = self._members, {}
        with CancelScope(shield=True):
            async with create_task_group() as group:
                for member in members.values():
                    if member is not None:
                        group.start_soon(member.close)

    # Servers

    async def add(self, name: str, server: HostServerConfig | Source) -> ClientSession:
        """Connect to a server and load its tools. If another server has the name, it is replaced
        once the new one is connected.

        Args:
            name: A name for the server in this host.
            server: An entry of an `mcpServers` object, or anything that `Client` takes: a URL, a
                command, a server object of this process and so on.

        Returns:
            The session with the server.

        Raises:
            ConnectError: The server cannot be reached.
            OSError: The program does not exist or may not be run.
            McpError: The server refused.
            UsageError: The entry does not say where the server is, or is invalid.
            SessionClosed: The host was closed, or the server removed, meanwhile.
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
        """Connect to all servers of an `mcpServers` object, or of a JSON file that holds one,
        at once. Servers with `"disabled": true` are left out.

        Args:
            config: The object, or the path of the file.

        Returns:
            The errors of the servers that failed, by name. They are in `failures` too.

        Raises:
            OSError: The file cannot be read.
            UsageError: It is not an `mcpServers` object.
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
                    # Keep the order of the file, whichever server starts first.
                    self._members.setdefault(name, None)
                    group.start_soon(attempt, name, cast("Mapping[str, Any]", server))
                else:
                    failed[name] = UsageError(f"mcpServers.{name} has to be an object with a command or a url")
        self._failures.update(failed)
        return failed

    async def remove(self, server: str) -> None:
        """Close the connection to a server and remove it. Does nothing if the host has no
        server of that name.

        Args:
            server: The server's name.
        """
        self._failures.pop(server, None)
        if server not in self._members:
            return
        member = self._members.pop(server)
        if member is not None:
            await member.close()
            self._tell()

    @property
    def servers(self) -> list[str]:
        """The names of the servers that connected, in the order in which they were added."""
        return list(self.sessions)

    @property
    def sessions(self) -> dict[str, ClientSession]:
        """The sessions, by server name. A session that ended stays, with the state `closed`,
        until its server is removed or added again.
        """
        return {name: member.session for name, member in self._members.items() if member is not None}

    @property
    def failures(self) -> dict[str, Exception]:
        """The errors of servers of a config that could not be reached, by server name."""
        return dict(self._failures)

    # Tools

    @property
    def tools(self) -> list[HostTool]:
        """All tools of all connected servers, each under a name that no other has. If several servers
        have a tool of the same name, each gets the name of its server in front, as in `files_search`;
        so does a tool whose own name is one that another gets in this way. Tools whose names are the
        same even then are left out, and `call_tool` says so.
        """
        return self._merged()[0]

    def _merged(self) -> tuple[list[HostTool], dict[str, str]]:
        """All tools, and the names that stand for none although servers have such tools, with why."""
        live = [(name, member) for name, member in self._members.items() if member is not None and member.live]
        given = [{"name": server, "tools": [tool.name for tool in member.tools]} for server, member in live]
        found = host_names(json.dumps(given))
        tools = [
            HostTool(name, server, tool)
            for (server, member), names in zip(live, found["names"])
            for name, tool in zip(names, member.tools)
            if name is not None
        ]
        return tools, found["refusals"]

    def find(self, name: str) -> HostTool | None:
        """The tool with this name in the host; `None` if there is none.

        Args:
            name: The tool's name in the host.
        """
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
        """Call a tool by its name in the host. If the tool itself fails, the result has `isError`.

        Args:
            name: The tool's name in the host, as in `tools`.
            arguments: The arguments by name. Default: none.
            read_timeout_seconds: Longest wait for the answer, in seconds or as `timedelta`.
                Default: the `read_timeout_seconds` of the client.
            progress_callback: Async function that is called with `progress`, `total` and `message`
                of each progress report. Default: no reports are asked for.
            meta: The `_meta` of the request. Default: none.

        Raises:
            UsageError: No connected server has a tool of that name, or several would have it.
            McpError: The server answered with an error, or did not answer in time.
            RuntimeError: The structured content does not fit the tool's output schema.
        """
        tools, refusals = self._merged()
        found = next((tool for tool in tools if tool.name == name), None)
        member = None if found is None else self._members[found.server]
        if found is None or member is None:
            raise UsageError(refusals.get(name) or f"no server has a tool {name}: Host.tools lists those there are")
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
