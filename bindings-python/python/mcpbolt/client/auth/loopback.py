"""The user's browser, and its way back to a port of this machine. Not in the official package.

Owns: who opens the browser, how long it is waited for, how the engine is told what came. Must not
know: the port and the pages that are shown there, which are the engine's; whether an answer is good.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import isawaitable, iscoroutinefunction
from typing import Any, cast
from urllib.parse import parse_qsl, urlsplit

from anyio import move_on_after, to_thread
from pydantic import Field

from ..._mcpbolt import EngineError, RedirectPort, RedirectWait, open_in_browser
from ...shared.auth import AuthorizationCodeResult
from ._waiting import PATIENCE, waited
from .exceptions import OAuthFlowError

__all__ = ["LoopbackRedirect"]


class CameBack(AuthorizationCodeResult):
    """The same with the URL that it was read from, which the engine judges as a whole."""

    url: str = Field(repr=False)


def as_told(answer: Any) -> dict[str, Any]:
    """What a callback returned, as the engine is told of it.

    Args:
        answer: Code and state, or all that the browser brought.
    """
    if isinstance(answer, CameBack):
        return {"came_back_to": answer.url}
    if isinstance(answer, tuple):
        code, state = cast("tuple[str, str | None]", answer)
        return {"redirected": {"code": code, "state": state}}
    return {"redirected": {"code": answer.code, "state": answer.state, "iss": answer.iss, "whole": True}}


class LoopbackRedirect:
    """Opens the user's browser, and receives its answer at `http://127.0.0.1`. It listens while a user
    signs in, not longer; the browser then shows that the window can be closed.

    Example:
        ```python
        redirect = LoopbackRedirect()
        provider = OAuthClientProvider(
            "https://mcp.example.com/mcp",
            OAuthClientMetadata(client_name="Example", redirect_uris=[redirect.redirect_uri]),
            FileTokenStorage("https://mcp.example.com/mcp"),
            redirect_handler=redirect.show,
            callback_handler=redirect.wait,
        )
        ```

    Args:
        port: The port, for authorization servers that compare ports, which they should not for
            addresses of the user's machine. Default: a free one.
        path: The path of the redirect URI, beginning with a slash. Default: `/callback`.
        open_browser: Function that is called with the URL that the user has to open, such as
            `webbrowser.open`, or one that prints it. May be async. Default: the browser of the system.
        timeout: How long the user may take, in seconds. Default: 300.
    """

    def __init__(
        self,
        port: int = 0,
        path: str = "/callback",
        *,
        open_browser: Callable[[str], Any] | None = None,
        timeout: float = 300.0,
    ) -> None:
        self.path: str = path
        self.open_browser: Callable[[str], Any] | None = open_browser
        self.timeout: float = timeout
        self._port = port
        # A port that listens, then the answer that it waits for.
        self._listening: RedirectPort | None = None
        self._coming: RedirectWait | None = None

    @property
    def redirect_uri(self) -> str:
        """Where the browser comes back to, for the metadata of the client. A free port is chosen by the
        first look, and kept for this object.

        Raises:
            OAuthFlowError: The port cannot be used.
        """
        if self._port == 0:
            self._port = urlsplit(self._bound().redirect_uri).port or 0
        return f"http://127.0.0.1:{self._port}{self.path}"

    async def listen(self) -> str:
        """Get ready for one answer; returns the redirect URI.

        Raises:
            OAuthFlowError: The port cannot be used.
        """
        return self._bound().redirect_uri

    async def show(self, url: str) -> None:
        """Open the browser, as a `redirect_handler` does.

        Args:
            url: The URL that the user has to open.

        Raises:
            OAuthFlowError: There is no browser, or the port cannot be used.
        """
        listening, self._listening = self._bound(), None
        self._coming = listening.visit(url)
        try:
            await self._open(url)
        except BaseException:
            self.close()
            raise

    async def wait(self) -> AuthorizationCodeResult:
        """Wait until the browser comes back, as a `callback_handler` does; returns what it brought.

        Raises:
            OAuthFlowError: The user took too long.
        """
        coming, url = self._coming, None
        if coming is None:
            raise OAuthFlowError("redirect: no browser was opened; pass `show` as redirect_handler beside `wait`")
        try:
            with move_on_after(self.timeout):
                while url is None:
                    url = await waited(coming.wait, PATIENCE)
        finally:
            self.close()
        if url is None:
            raise OAuthFlowError(f"redirect: nobody signed in within {self.timeout:g} seconds; see `timeout`")
        brought = dict(parse_qsl(urlsplit(url).query))
        return CameBack(code=brought.get("code", ""), state=brought.get("state"), iss=brought.get("iss"), url=url)

    def close(self) -> None:
        """Stop listening. May be called more than once; the next sign-in listens anew."""
        self._listening = self._coming = None

    def _bound(self) -> RedirectPort:
        if self._listening is None:
            try:
                self._listening = RedirectPort(self._port, self.path)
            except EngineError as error:
                raise OAuthFlowError(error.args[2]) from None
        return self._listening

    async def _open(self, url: str) -> None:
        opener = self.open_browser
        if opener is None:
            try:
                await to_thread.run_sync(open_in_browser, url)
            except EngineError as error:
                raise OAuthFlowError(f"{error.args[2]}; show the URL to the user with `open_browser`") from None
            return
        # It may wait for a program to start.
        opening = opener(url) if iscoroutinefunction(opener) else await to_thread.run_sync(opener, url)
        if isawaitable(opening):
            await opening
