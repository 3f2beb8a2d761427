"""The driver: one inbox per running asyncio loop, and the tasks that answer it.

Owns: taking items, starting a task per request, and returning results in batches. Must not
know: what a server or a client does with an item; a `Host` does that. A driver is created when
it is first acquired on a running loop.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from time import perf_counter
from typing import TYPE_CHECKING, Any, cast

from .._mcpbolt import Inbox
from . import forks
from .items import WANTED, Hearers, Item, RequestItem, ResponseItem, Row, as_notification, as_request, as_response
from .json import dumps
from .served import SERVED
from .tables import drop
from .tasks import first_of, spawn, stop

if TYPE_CHECKING:
    from .registry import Host
    from .watch import Watch

# How many items one drain takes, and how long it may start calls before other tasks run.
MAX_ITEMS = 64
MAX_BYTES = 1 << 20
MAX_SECONDS = 0.001

_CLOSED = (None, "closed", -32000, "the connection is closed", None)


class Driver:
    """One loop's inbox, and everything that waits for its items."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.inbox: Inbox = Inbox()
        self.pid: int = forks.process
        self.hosts: dict[int, Host] = {}
        self.default: Host | None = None
        self.tasks: dict[int, asyncio.Task[None]] = {}
        self.services: dict[str, Callable[[Any], Awaitable[str]]] = {}
        self.contexts: dict[int, contextvars.Context] = {}
        # Handlers of HTTP exchanges, and of the connections whose requests the program sends.
        self.exchanges: dict[int, Callable[[Item], None]] = {}
        self.pages: Callable[[Item], None] | None = None
        self.workers: Any = None
        self.known: threading.Condition = threading.Condition()
        self._users = 0
        self._background: set[asyncio.Task[Any]] = set()
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._hearers: dict[int, Hearers] = {}
        self._later: deque[Item] = deque()
        self._done: list[Row] = []
        self._draining = False
        self._flushing = False
        self._parking = False
        self._last_cause = 0
        self._watch: Watch | None = None
        # In an empty context, so that no call inherits the variables of another.
        contextvars.Context().run(self._listen)

    # Life

    @classmethod
    def acquire(cls) -> Driver:
        """Acquire the driver of the running loop. Every call needs one `release`."""
        loop = asyncio.get_running_loop()
        driver = _drivers.get(loop)
        if driver is None or driver.inherited():
            drop(_drivers, lambda old, _: old.is_closed())
            driver = _drivers[loop] = cls(loop)
        driver._users += 1
        return driver

    def release(self) -> None:
        """Release the driver; the last release closes the inbox."""
        self._users -= 1
        if self._users > 0:
            return
        if _drivers.get(self.loop) is self:
            del _drivers[self.loop]
        self.close()

    def inherited(self) -> bool:
        """Whether this is a forked child of the process that made the driver: the engine's threads,
        what they had locked and the signal are the parent's. It takes, completes and ends nothing.
        """
        return self.pid != forks.process

    def close(self) -> None:
        """Close the inbox, and end everything that waits for it."""
        if self.inherited():
            return
        self.flush()
        if self.workers is not None:
            self.workers.close()
        if self._watch is not None:
            self._watch.stop()
        elif not self.loop.is_closed():
            self.loop.remove_reader(self.inbox.fileno())
        self.inbox.close()
        for future in self._waiting.values():
            if not future.done():
                future.cancel()

    def event(self) -> asyncio.Event:
        """Make an event of this driver's loop."""
        return asyncio.Event()

    async def stop(self, tasks: list[Any]) -> None:
        """Cancel tasks and wait for their end. The calling task itself is left out."""
        await stop(tasks)

    async def first_of(self, *works: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run coroutines until the first one ends; the others are cancelled."""
        await first_of(*works)

    def _listen(self) -> None:
        try:
            self.loop.add_reader(self.inbox.fileno(), self._drain)
        except NotImplementedError:
            from .watch import Watch

            self._watch = Watch(self.inbox, self.loop, self._drain)

    def serve(self, connection: int, host: Host) -> None:
        """Pass the items of a connection to a host."""
        with self.known:
            self.hosts[connection] = host
            self.known.notify_all()

    def leave(self, connection: int) -> None:
        """Stop passing the items of a connection to its host."""
        self.hosts.pop(connection, None)

    def host_of(self, connection: int) -> Host | None:
        """The host of a connection. Waits for it on worker threads, which may be early."""
        host = self.hosts.get(connection) or self.default
        if host is None:
            with self.known:
                self.known.wait_for(lambda: connection in self.hosts, 5)
            host = self.hosts.get(connection)
        return host

    def new_cause(self, context: contextvars.Context) -> int:
        """A number for a cause; calls it brings run in copies of `context`."""
        self._last_cause += 1
        self.contexts[self._last_cause] = context
        return self._last_cause

    # Items

    def _drain(self) -> bool:
        """Take items and start their work; returns whether there were any."""
        if self.inherited():
            return False
        if not self._later:
            self._later.extend(self.inbox.take(MAX_ITEMS, MAX_BYTES))
        return self._work()

    def _work(self) -> bool:
        """Start the work of items that were taken; returns whether there were any."""
        items = self._later
        found = bool(items)
        open_before = len(self.tasks)
        self._draining = True
        end = perf_counter() + MAX_SECONDS
        try:
            while items:
                item = items.popleft()
                if item[0] == "request":
                    self._start(as_request(item))
                else:
                    self._other(item)
                if items and perf_counter() > end:
                    break
                if not items and self._done:
                    self._hand_back()
        finally:
            self._draining = False
            if self._done:
                self._hand_back()
            if items:
                self.loop.call_soon(self._drain)
            if len(self.tasks) > open_before and not self._flushing:
                # Runs after the first steps of these tasks, which for most of them are all.
                self._flushing = True
                self.loop.call_soon(self.flush)
        return found

    def take_in(self, items: list[Item]) -> None:
        """Start the work of items that a call into the engine returned."""
        waits = self._draining or bool(self._later)
        self._later.extend(items)
        if not waits:
            self._work()

    def catch_up(self) -> None:
        """Take all items now, since the inbox may be closed before the loop runs again."""
        self._drain()

    def _start(self, item: RequestItem) -> None:
        host = self.hosts.get(item.connection) or self.default
        if host is None:
            self.finish((item.call, *_CLOSED))
            return
        context = (self.contexts.get(item.cause) or host.context).copy()
        task = self.spawn(host.run(item), context)
        if not task.done():
            self.tasks[item.call] = task

    def spawn(self, work: Coroutine[Any, Any, Any], context: contextvars.Context) -> asyncio.Task[Any]:
        """Start a task in the given context. From Python 3.12 on, its first step runs at once."""
        return spawn(self.loop, work, context)

    def background(self, work: Coroutine[Any, Any, Any], context: contextvars.Context) -> None:
        """Start a task that nothing waits for, and keep it until it is done."""
        task = self.spawn(work, context)
        if not task.done():
            self._background.add(task)
            task.add_done_callback(self._background.discard)

    def _other(self, item: Item) -> None:
        kind, number = item[0], item[1]
        if kind in ("response", "writable"):
            future = self._waiting.pop(number, None)
            if future is not None and not future.done():
                future.set_result(as_response(item) if kind == "response" else None)
        elif kind == "cancel":
            task = self.tasks.get(number)
            if task is not None:
                task.cancel()
        elif kind in ("progress", "sent", "event_id"):
            hear = self._hearers.get(number, {}).get(kind)
            if hear is not None:
                _, _, said = item
                hear(said)
        elif kind == "cause_closed":
            self.contexts.pop(number, None)
        elif kind in ("http_head", "http_chunk", "http_closed"):
            exchange = self.exchanges.get(number)
            if exchange is not None:
                exchange(item)
        elif kind == "http_request":
            if self.pages is not None:
                self.pages(item)
        elif kind == "ask":
            _, _, name, payload = item
            carry = self.exchanges.get(payload["connection"]) if name == "client.fetch" else None
            if carry is not None:
                carry(item)
                return
            # Looked up now: the service may be gone when the task begins.
            work = self._serve(number, name, payload, self.services.get(name))
            self.background(work, self._cause_of(payload))
        else:
            self._event(kind, number, item)

    def _event(self, kind: str, connection: int, item: Item) -> None:
        host = self.hosts.get(connection) or self.default
        if host is None:
            return
        if kind != "notification":
            host.event(item)
            return
        notification = as_notification(item)
        work = host.notified(notification)
        if work is not None:
            self.background(work, (self.contexts.get(notification.cause) or host.context).copy())

    def _cause_of(self, payload: Any) -> contextvars.Context:
        """A service's context: a copy of the context of the request that it is called for."""
        values = cast("dict[str, Any]", payload if isinstance(payload, dict) else {})
        asker: dict[str, Any] = values.get("asker") or {}
        known = self.contexts.get(asker.get("cause", 0))
        return contextvars.Context() if known is None else known.copy()

    def forget(self, services: list[str]) -> None:
        """Handle the calls that still wait for services of a closed server; then remove them."""
        while services and self._drain():
            pass
        for name in services:
            del self.services[name]

    async def _serve(
        self, number: int, name: str, payload: Any, service: Callable[[Any], Awaitable[str]] | None
    ) -> None:
        try:
            if service is None:
                raise LookupError(f"there is no service {name}")
            self.finish((number, await service(payload)))
        except Exception as error:
            self.finish((number, None, "store", -32603, str(error), None))

    # For hosts

    def finish(self, row: Row) -> None:
        """Complete a call: `(call, JSON text)` or `(call, None, kind, code, message, data)`."""
        self._done.append(row)
        if not self._draining and not self._flushing:
            self._flushing = True
            self.loop.call_soon(self.flush)

    def flush(self) -> None:
        """Pass results that are finished to the engine."""
        self._flushing = False
        if not self._done:
            return
        waits = self._draining or bool(self._later)
        self._hand_back()
        if self._later and not waits:
            self._work()

    def _hand_back(self) -> None:
        rows, self._done = self._done, []
        if self.inherited():
            return
        if self.exchanges:
            # Items that the results caused are returned at once and handled in the same turn.
            self._later.extend(self.inbox.complete_and_take(rows, MAX_ITEMS, MAX_BYTES))
        else:
            self.inbox.complete_many(rows)

    async def send(self, target: int, method: str, params: str | None) -> bool:
        """Send a notification; waits while the queue is full. `False` if the peer is gone."""
        while (sent := self.inbox.send(target, method, params)) == "full":
            await self.writable(target)
        return sent == "sent"

    async def request(
        self,
        target: int,
        method: str,
        params: str | None,
        timeout: float | None = None,
        hearers: Hearers | None = None,
        plan: dict[str, Any] | None = None,
    ) -> ResponseItem:
        """Send a request and return its `response` item. Cancelling this cancels the request.

        `plan` has the options of the verb `request_with`.

        Raises:
            EngineError: This is a forked child; the answer would wake the parent's loop.
        """
        if self.inherited():
            self.inbox.check()
        inside = SERVED.get()
        if plan is None and hearers is None and inside is None:
            number = self.inbox.request_in_turn(target, method, params, timeout)
        else:
            every: dict[str, Any] = {**{WANTED[kind]: True for kind in hearers or ()}, **(plan or {})}
            if timeout is not None:
                every["timeout"] = timeout
            if inside is not None:
                every["inside"] = inside
            number = self.inbox.request_with(target, method, params, dumps(every))
        if hearers is not None:
            self._hearers[number] = hearers
        if not self._parking:
            self._parking = True
            self.loop.call_soon(self._park)
        return await self.answer(number)

    async def answer(self, number: int) -> ResponseItem:
        """Wait for the `response` item with this number."""
        future = self._waiting[number] = self.loop.create_future()
        try:
            item: ResponseItem = await future
            return item
        except BaseException:
            self._waiting.pop(number, None)
            if not self.inherited():
                self.inbox.cancel(number)
            raise
        finally:
            self._hearers.pop(number, None)

    def _park(self) -> None:
        self._parking = False
        self.inbox.drained()

    async def writable(self, target: int) -> None:
        """Wait until more can be sent to a call, a connection or an HTTP exchange."""
        future = self._waiting.get(target)
        if future is None:
            future = self._waiting[target] = self.loop.create_future()
        # Shared by several waiters: if one is cancelled, the others go on waiting.
        await asyncio.shield(future)


_drivers: dict[asyncio.AbstractEventLoop, Driver] = {}
