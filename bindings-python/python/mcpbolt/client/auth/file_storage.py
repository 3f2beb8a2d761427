"""Tokens and credentials in a file, for programs that start again. Not in the official package.

Owns: how a storage says that several programs share it. Must not know: files and locks, which are the
engine's; when something is stored.
"""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Protocol, runtime_checkable

from ..._engine.json import dumps
from ..._mcpbolt import EngineError, TokenFile, TokenFileLock
from ...shared.auth import OAuthClientInformationFull, OAuthToken
from ._context import TokenStorage
from ._waiting import PATIENCE, waited
from .exceptions import OAuthFlowError

__all__ = ["FileTokenStorage", "SharedTokenStorage"]


@runtime_checkable
class SharedTokenStorage(TokenStorage, Protocol):
    """A storage that several programs share. A refresh token can be used once: the provider renews tokens
    inside of `exclusively`, and reads them again there, so that one program uses it and the others take
    what it got. The `expires_in` that `get_tokens` returns is what is left.
    """

    def exclusively(self) -> AbstractAsyncContextManager[None]:
        """An async context manager that waits until no other program is inside of its own."""
        ...


class FileTokenStorage:
    """Stores the tokens and credentials for one server in a file that only the user can read, in plain
    text. The file is replaced as a whole, and locked while tokens are renewed: programs that share it make
    one refresh. Programs in other languages on this engine can share it too.

    Example:
        ```python
        storage = FileTokenStorage("https://mcp.example.com/mcp")
        ```

    Args:
        server_url: The URL of the MCP server's endpoint.
        folder: The folder of the file, made and closed to other users when it is needed; on Windows one
            that is there already must be the user's own. Default: `~/.local/state/mcpbolt/credentials` on
            Linux, which the program `mcpbolt` uses too; the usual place for such data on other systems.

    Raises:
        OAuthFlowError: `server_url` is no URL of a server.
    """

    def __init__(self, server_url: str, folder: str | os.PathLike[str] | None = None) -> None:
        self.folder: Path = Path(default_folder() if folder is None else folder).expanduser()
        try:
            self._file = TokenFile(str(self.folder), server_url)
        except EngineError as error:
            raise OAuthFlowError(f"server_url: {error.args[2]}") from None

    async def get_tokens(self) -> OAuthToken | None:
        """Return the stored tokens; `None` if there are none. `expires_in` is what is left."""
        found = await waited(self._file.tokens)
        return None if found is None else OAuthToken.model_validate(found)

    async def set_tokens(self, tokens: OAuthToken) -> None:
        """Store the tokens. With an empty `access_token`, forget them.

        Args:
            tokens: The tokens.
        """
        await waited(self._file.save_tokens, dumps(tokens.model_dump(mode="json", exclude_none=True)))

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        """Return the stored credentials of the client; `None` before it has registered."""
        found = await waited(self._file.client)
        return None if found is None else OAuthClientInformationFull.model_validate(found)

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        """Store the client's credentials. Tokens of another client are forgotten.

        Args:
            client_info: The client's id, and the secret if it has one.
        """
        await waited(self._file.save_client, dumps(client_info.model_dump(mode="json", exclude_none=True)))

    @asynccontextmanager
    async def exclusively(self) -> AsyncGenerator[None, None]:
        """Wait until no other program renews the tokens, and keep others from it until the end."""
        held: TokenFileLock | None = None
        while held is None:
            # What a thread gets that nobody waits for any more is released with the object.
            held = await waited(self._file.lock, PATIENCE)
        try:
            yield
        finally:
            held.release()

    def __repr__(self) -> str:
        return f"FileTokenStorage({str(self.folder)!r})"


def default_folder() -> Path:
    """Where the program `mcpbolt` stores tokens."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home())
    elif sys.platform == "darwin":
        base = Path.home() / "Library/Application Support"
    else:
        base = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state")
    return base / "mcpbolt" / "credentials"
