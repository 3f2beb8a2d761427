"""Choosing the transport for what a `Client` was given.

Owns: what may be given, and the error messages for anything else. Must not know: sessions.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import sys
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from .._engine import face
from ..shared.exceptions import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Union

    from typing_extensions import TypeAlias

    from ._signed_in import Authentication
    from .stdio import StdioServerParameters

    class MadeOfFunctions(Protocol):
        """A server such as `FastMCP` or `MCPServer`."""

        async def run_stdio_async(self) -> None:
            """Serve the process's standard streams."""

    class MadeOfHandlers(Protocol):
        """A low-level server."""

        def create_initialization_options(self) -> Any:
            """Make what clients are sent when a session opens."""

    Source: TypeAlias = Union[
        str,
        os.PathLike[str],
        list[str],
        tuple[str, ...],
        Mapping[str, Any],
        StdioServerParameters,
        MadeOfFunctions,
        MadeOfHandlers,
        AbstractAsyncContextManager[Any],
    ]
    """What leads to a server."""

Way = AbstractAsyncContextManager[Any]

ACCEPTED = (
    'a URL ("http://localhost:8000/mcp"), a program ("server.py", "server.js"), a command ("npx -y PACKAGE" or a '
    'list of words), {"mcpServers": ...} or a JSON file with that, StdioServerParameters, a server object of this '
    "process, or a context manager of streams"
)
_SCHEMES = ("http", "https", "ws", "wss")
_JAVASCRIPT = (".js", ".mjs", ".cjs")


def way_of(
    given: Any,
    headers: dict[str, str] | None = None,
    raise_exceptions: bool = False,
    auth: Authentication | None = None,
) -> Way:
    """The streams of a server, as a context manager to enter.

    Raises:
        UsageError: It does not lead to one server, or `auth` is not for it; the message says what would
            be right.
        FileNotFoundError: The command does not exist.
    """
    way = _way_of(given, _Http(headers, auth), raise_exceptions)
    if auth is not None:
        from ._signed_in import SignedIn

        if not isinstance(way, SignedIn):
            raise UsageError("auth is for a server that is given by its http or https URL")
    return way


class _Http(NamedTuple):
    """What goes with the requests to a URL."""

    headers: dict[str, str] | None
    auth: Authentication | None


def _way_of(given: Any, http: _Http, raise_exceptions: bool) -> Way:
    from .stdio import StdioServerParameters, stdio_client

    if isinstance(given, str) and "://" in given:
        return _url(given, http)
    if isinstance(given, StdioServerParameters):
        return stdio_client(given)
    if isinstance(given, (str, Path)):
        return _named(given, http)
    if isinstance(given, dict):
        return _configured(cast("dict[str, Any]", given), "this dictionary", http)
    words = [str(word) for word in cast("list[Any]", given)] if isinstance(given, (list, tuple)) else []
    if words:
        return _command(words)
    server = cast("Any", given)
    if hasattr(server, "_mcp_server") or hasattr(server, "create_initialization_options"):
        from ._memory import in_memory

        return in_memory(server, raise_exceptions)
    if hasattr(server, "__aenter__"):
        return cast("Way", server)
    raise UsageError(f"Client takes {ACCEPTED}; not {type(server).__name__}")


def _command(words: list[str], **more: Any) -> Way:
    from .stdio import StdioServerParameters, stdio_client

    return stdio_client(StdioServerParameters(command=words[0], args=words[1:], **more))


def _url(url: str, http: _Http, **more: Any) -> Way:
    scheme, _, rest = url.partition("://")
    if scheme.lower() not in _SCHEMES or not rest.strip("/"):
        raise UsageError(f"{url!r} is no URL of a server: that is http://HOST:PORT/mcp, https://… or wss://…")
    if scheme.lower() in ("ws", "wss"):
        from .websocket import open_websocket

        return open_websocket(url)
    if http.auth is not None:
        from ._signed_in import SignedIn

        return SignedIn(url, http.headers, http.auth, more.get("transport") == "sse")
    if face.current.groups_errors and not http.headers and not more:
        from .streamable_http import streamable_http_client

        return streamable_http_client(url)
    from ._reach import reaching
    from .streamable_http import url_target

    return reaching(url_target(url, http.headers, None, **more))


def _named(server: str | Path, http: _Http) -> Way:
    """The transport for a path, or for a string without a scheme: a program file or a command."""
    path, suffix = Path(server).expanduser(), Path(server).suffix.lower()
    if path.exists():
        if suffix == ".json":
            return _configured(_json(path), str(path), http)
        if suffix in _JAVASCRIPT:
            return _command(["node", str(path)])
        if suffix in (".ts", ".mts", ".tsx"):
            raise UsageError(f'{path} must be run by something: Client(["npx", "tsx", {str(path)!r}])')
        return _command([sys.executable, str(path)])
    text = str(server)
    if re.match(r"[\w.-]+:\d+(/|$)", text):
        raise UsageError(f"{text!r} is no URL without its scheme: write http://{text}")
    words = [] if isinstance(server, Path) else shlex.split(text, posix=os.name != "nt")
    if len(words) > 1 or (words and not suffix and shutil.which(words[0])):
        return _command(words)
    raise UsageError(f"there is no file {text!r} in {os.getcwd()}, nor a command of that name. Client takes {ACCEPTED}")


def _json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read as JSON: {error}") from None
    if not isinstance(found, dict):
        raise UsageError(f'{path} must hold {{"mcpServers": {{...}}}}, not {type(found).__name__}')
    return cast("dict[str, Any]", found)


def _configured(found: dict[str, Any], where: str, http: _Http) -> Way:
    """The transport for the one server of a configuration in the format of desktop hosts."""
    servers: Any = found.get("mcpServers", found.get("servers"))
    if servers is None:
        servers = {where: found} if "command" in found or "url" in found else None
    if not isinstance(servers, dict) or not servers:
        raise UsageError(f'{where} has no server: {{"mcpServers": {{"NAME": {{"command": ...}} or {{"url": ...}}}}}}')
    named = cast("dict[str, Any]", servers)
    if len(named) > 1:
        raise UsageError(
            f"{where} has {len(named)} servers ({', '.join(named)}), and a Client reaches one: "
            "use mcpbolt.Host for all of them, or give the entry of one"
        )
    name, entry = next(iter(named.items()))
    return _entry(name, cast("dict[str, Any]", entry) if isinstance(entry, dict) else {}, http)


def _entry(name: str, entry: dict[str, Any], http: _Http) -> Way:
    url, command = entry.get("url"), entry.get("command")
    if isinstance(url, str):
        kind: Any = entry.get("type", entry.get("transport"))
        more = {"transport": "sse"} if kind == "sse" else {}
        headers: dict[str, str] = {**(entry.get("headers") or {}), **(http.headers or {})}
        return _url(url, http._replace(headers=headers), **more)
    if isinstance(command, str):
        words = [command, *map(str, entry.get("args") or [])]
        return _command(words, env=entry.get("env"), cwd=entry.get("cwd"))
    raise UsageError(f"the server {name!r} has neither a command nor a url")
