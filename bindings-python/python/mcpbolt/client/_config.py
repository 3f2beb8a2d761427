"""The `mcpServers` object of desktop hosts.

Owns: reading and checking it. Must not know: who connects.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any, TypedDict, cast

from ..shared.exceptions import UsageError

__all__ = ["HostConfig", "HostServerConfig", "read_config", "servers_of", "way_to"]


class HostServerConfig(TypedDict, total=False):
    """An entry of an `mcpServers` object: either a program or a URL. Unknown members are ignored."""

    command: str
    """The program to run."""

    args: list[str]
    """The program's arguments. Default: none."""

    env: dict[str, str]
    """Environment variables in addition to those of `get_default_environment()`. Default: none."""

    cwd: str
    """The working directory. Default: that of this process."""

    url: str
    """The server's URL, instead of `command`."""

    headers: dict[str, str]
    """HTTP headers to send with every request to the URL. Default: none."""

    type: str
    """`sse` for a URL of the older transport, HTTP+SSE. Other values have no effect. Default: streamable
    HTTP.
    """

    disabled: bool
    """Whether to leave the server out. Default: no."""


class HostConfig(TypedDict):
    """The content of a desktop host's configuration file."""

    mcpServers: dict[str, HostServerConfig]
    """The servers by their names."""


def read_config(path: str | PathLike[str]) -> HostConfig:
    """Read the `mcpServers` object of a JSON file.

    Raises:
        OSError: The file cannot be read.
        UsageError: The file is not JSON.
    """
    try:
        found: HostConfig = json.loads(Path(path).read_text(encoding="utf-8-sig"))
    except ValueError as error:
        raise UsageError(f"{path} is no JSON: {error}") from None
    return found


def servers_of(config: HostConfig | Mapping[str, Any]) -> dict[str, Any]:
    """The entries of all servers that are not disabled.

    Raises:
        UsageError: The `mcpServers` object is missing.
    """
    servers: Any = config.get("mcpServers") if isinstance(cast("Any", config), Mapping) else None
    if not isinstance(servers, Mapping):
        raise UsageError('there is no mcpServers object: give {"mcpServers": {"name": {"command": ...}}}')
    every = cast("Mapping[str, Any]", servers)
    return {name: server for name, server in every.items() if not _is_disabled(server)}


def _is_disabled(server: Any) -> bool:
    return isinstance(server, Mapping) and bool(cast("Mapping[str, Any]", server).get("disabled"))


def way_to(name: str, server: Mapping[str, Any]) -> tuple[Any, dict[str, Any] | None]:
    """What an entry means for `Client`: its `server`, and the headers for a URL.

    Raises:
        UsageError: The entry does not say where the server is, or is invalid.
    """
    from pydantic import ValidationError

    from .session_group import StreamableHttpParameters
    from .stdio import StdioServerParameters

    if (server.get("command") is None) == (server.get("url") is None):
        raise UsageError(f"mcpServers.{name} has to have either a command or a url")
    try:
        if server.get("command") is not None:
            known = ("command", "args", "env", "cwd")
            return StdioServerParameters.model_validate({key: server[key] for key in known if key in server}), None
        place = StreamableHttpParameters(url=server["url"], headers=server.get("headers"))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(step) for step in ("mcpServers", name, *first["loc"]))
        raise UsageError(f"{where}: {first['msg']}") from None
    if server.get("type") != "sse":
        return place.url, place.headers
    from ._reach import reaching
    from .streamable_http import url_target

    return reaching(url_target(place.url, place.headers, None, transport="sse")), None
