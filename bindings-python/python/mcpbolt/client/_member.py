"""One server of a `Host`: its client and the current list of its tools.

Owns: the list of tools and keeping it up to date, on either era. Must not know: other servers,
and the names that tools have in the host.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AsyncExitStack
from contextvars import copy_context
from typing import TYPE_CHECKING, Any

from anyio import CancelScope, Event, create_task_group, fail_after, move_on_after, sleep_until

from .._engine.acquire import acquire
from .._engine.peer import CLOSE_SECONDS
from ..shared.exceptions import McpError
from ._refreshes import Refreshes
from .subscriptions import Subscription, SubscriptionLost, listening

if TYPE_CHECKING:
    from .._engine.driver import Driver
    from ..types import Tool
    from .client import Client
    from .session import ClientSession

CHANGED = "notifications/tools/list_changed"
# Longest wait for a server to agree to report changes. Its tools are available without that.
LISTEN_SECONDS = 10.0


class Member:
    """A server of a host, from its connection to its end.

    Args:
        client: Reaches the server; not connected yet.
        changed: Called when its tools have changed, or are gone with the connection.
        failed: Called with errors that belong to no request.
    """

    def __init__(
        self, client: Client, changed: Callable[[Member], None], failed: Callable[[Exception], None]
    ) -> None:
        self.client = client
        self.tools: list[Tool] = []
        self.live = False
        """Whether its connection is open."""
        self._changed, self._failed = changed, failed
        self._driver: Driver | None = None
        self._session: ClientSession | None = None
        self._stale = Event()
        self._over = Event()
        self._changes: Subscription | None = None
        self._listening = AsyncExitStack()

    @property
    def session(self) -> ClientSession:
        """The session with the server; kept when the connection is over."""
        assert self._session is not None, "it is handed out when it is open"
        return self._session

    async def open(self) -> None:
        """Connect and load the tools."""
        self._watch_messages()
        try:
            self._session = await self.client.connect()
            await self._listen()
            await self._refresh()
        except BaseException:
            with CancelScope(shield=True):
                await self._listening.aclose()
                await self.client.close()
            raise
        self.live = True
        self._driver = acquire()
        self._driver.spawn(self._follow(self._session, self._driver), copy_context())

    async def close(self) -> None:
        """Close the connection. May be called more than once; ends in bounded time."""
        await self._listening.aclose()
        await self.client.close()
        if self._driver is not None:
            with move_on_after(CLOSE_SECONDS):
                await self._over.wait()

    def _watch_messages(self) -> None:
        """Notice changes on the legacy era, and errors, before the program's message handler
        gets them.
        """
        given = self.client.message_handler

        async def handler(message: Any) -> None:
            if isinstance(message, Exception):
                self._failed(message)
            elif getattr(getattr(message, "root", None), "method", None) == CHANGED:
                # The list is not fetched here: its answer would wait for this handler to
                # return.
                self._stale.set()
            if given is not None:
                await given(message)

        self.client.message_handler = handler

    async def _listen(self) -> None:
        """Have the server report changes on the modern era, before the list is fetched. When the
        stream ends, the engine listens again, and then the list counts as changed.
        """
        offered = self.client.server_capabilities.tools
        if offered is None or not offered.listChanged or not self.session.is_modern:
            return
        # As `Client.listen` does, so that kept results are not used again.
        stream = Subscription(self.client._event)  # pyright: ignore[reportPrivateUsage]
        changes = listening(self.session, stream, {"toolsListChanged": True}, keep=True)
        try:
            with fail_after(LISTEN_SECONDS):
                self._changes = await self._listening.enter_async_context(changes)
        except (McpError, SubscriptionLost, TimeoutError) as error:
            self._failed(error)

    async def _refresh(self) -> None:
        """Fetch all pages. The engine refuses a list that does not end."""
        if self.client.server_capabilities.tools is None:
            return
        tools: list[Tool] = []
        page = await self.client.list_tools(fresh=True)
        tools += page.tools
        while page.nextCursor is not None:
            page = await self.client.list_tools(cursor=page.nextCursor, fresh=True)
            tools += page.tools
        self.tools = tools

    # In the background

    async def _follow(self, session: ClientSession, driver: Driver) -> None:
        try:
            async with create_task_group() as group:
                group.start_soon(self._hear, session)
                group.start_soon(self._keep_fresh, session)
                await session.wait_closed()
                group.cancel_scope.cancel()
        finally:
            self.live = False
            driver.release()
            self._over.set()
            self._changed(self)

    async def _hear(self, session: ClientSession) -> None:
        try:
            if self._changes is not None:
                async for _ in self._changes:
                    self._stale.set()
        except SubscriptionLost as error:
            if session.state != "closed":
                self._failed(error)

    async def _keep_fresh(self, session: ClientSession) -> None:
        refreshes = Refreshes()
        while True:
            await self._stale.wait()
            await sleep_until(refreshes.due())
            # What has come by then is part of it.
            self._stale = Event()
            try:
                await self._refresh()
            except Exception as error:
                if session.state == "closed":
                    return
                self._failed(error)
            else:
                self._changed(self)
            refreshes.done()
