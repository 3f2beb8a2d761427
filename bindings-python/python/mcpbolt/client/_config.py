"""The `mcpServers` object of desktop hosts.

Owns: reading it, and what of it is wrong. Must not know: who connects.
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
    """A server of an `mcpServers` object: a program, or a URL. Other members say nothing."""

    command: str
    """The program."""

    args: list[str]
    """Its arguments; none without them."""

    env: dict[str, str]
    """Its environment, beside what programs need to start: `get_default_environment()`."""

    cwd: str
    """Where it runs; here without it."""

    url: str
    """The server's URL, in place of a program."""

    headers: dict[str, str]
    """Sent with every request to that URL."""

    type: str
    """`sse` for servers of 2024 behind a URL; anything else says nothing new."""

    disabled: bool
    """Leaves the server out."""


class HostConfig(TypedDict):
    """The file of desktop hosts."""

    mcpServers: dict[str, HostServerConfig]
    """The servers by their names."""


def read_config(path: str | PathLike[str]) -> HostConfig:
    """The object in a file.

    Raises:
        OSError: The file cannot be read.
        UsageError: The text is not JSON.
    """
    try:
        found: HostConfig = json.loads(Path(path).read_text(encoding="utf-8-sig"))
    except ValueError as error:
        raise UsageError(f"{path} is no JSON: {error}") from None
    return found


def servers_of(config: HostConfig | Mapping[str, Any]) -> dict[str, Any]:
    """The servers that are not left out.

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
    """Where a server of such an object is, and the headers for a URL, as `Client` takes them.

    Raises:
        UsageError: The entry says not, or not rightly, where it is.
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
