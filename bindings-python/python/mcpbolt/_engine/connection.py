"""One connection of a client, and the session that it serves.

Owns: the connection from its opening to its end, and the open requests of the server. Must not
know: models of the protocol, which a session makes, and what errors are called, which its
`ClientFace` decides.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine
from contextvars import copy_context
from typing import TYPE_CHECKING, Any

from anyio import Event, move_on_after

from .. import _mcpbolt
from . import face
from .acquire import acquire
from .items import ResponseItem
from .json import dumps
from .lasting import Lasting
from .peer import CLOSE_SECONDS
from .pump import Pump
from .serial import Serial
from .served import SERVED

if TYPE_CHECKING:
    from .driver import Driver
    from .items import Item, NotificationItem, RequestItem, Row
    from .peer import ClientFace, Session, Transport
    from .validating import ValidateResult

logger: logging.Logger = logging.getLogger("client")


class Connection:
    """A connection to one server."""

    def __init__(
        self,
        session: Session,
        client_face: ClientFace,
        options: dict[str, Any],
        validate_result: ValidateResult | None = None,
    ) -> None:
        self.context = copy_context()
        self.session = session
        self.face = client_face
        self.driver: Driver = acquire()
        self.number = 0
        self.over = Event()
        self.failure: Any = None
        self.serial = Serial(self.driver, self.context)
        self._calls: dict[Any, int] = {}
        # Handlers for the notifications of requests that stay open, by request number.
        self._streams: dict[int, Callable[[str, Any], None]] = {}
        self._pump: Pump | None = None
        self._reach: Transport | None = None
        # Where the engine itself connects to; `None` if the bytes go through streams.
        self.target: dict[str, Any] | None = None
        self._on_stderr: Callable[[str], None] | None = None
        self._session_id: str | None = None
        self._released = False
        self._lasting = Lasting("client")
        self._services: list[str] = []
        if validate_result is not None:
            from .validating import serve

            options = {**options, "validate_result": serve(self.driver, validate_result)}
            self._services.append(options["validate_result"])
        try:
            self.engine = _mcpbolt.Client(dumps(options), self.driver.inbox)
        except _mcpbolt.EngineError as error:
            self.driver.forget(self._services)
            self.driver.release()
            raise self.face.error(error) from None

    def open(self, read_stream: Any, write_stream: Any, reach: Transport | None) -> None:
        """Connect to the server: by the engine if the streams stand for one of its own
        transports, else through the streams.
        """
        try:
            if reach is not None:
                self.target = reach.target
                self.number = self.engine.open(dumps(reach.target))
                self._on_stderr = reach.on_stderr
                reach.opened(self.driver, self.number, self.session_id, self.close)
                self._reach = reach
            else:
                self.number = self.engine.open_fed(False)
                self._pump = Pump(self, read_stream, write_stream)
        except _mcpbolt.EngineError as error:
            self._release()
            raise self.face.unopened(error.args, self.target) from None
        self.driver.serve(self.number, self)
        if self._pump is not None:
            self._pump.start()

    def sends(self, method: str, metadata: Any) -> bool:
        """Note what the program said about its next request, for streams of its own; `False` where
        the engine carries the request, and is told with it.
        """
        if self._pump is None:
            return False
        self._pump.sends(method, metadata)
        return True

    def open_memory(self, server: _mcpbolt.Server) -> None:
        """Connect to a server of this process."""
        try:
            self.number = self.engine.open_memory(server)
        except _mcpbolt.EngineError as error:
            self._release()
            raise self.face.error(error) from None
        self.driver.serve(self.number, self)

    async def initialize(self, protocol: str | None) -> ResponseItem:
        """Do the handshake and return its `response` item."""
        try:
            item = await self.driver.answer(self.engine.initialize(self.number, protocol))
        except _mcpbolt.EngineError as error:
            failure = await self._ended_before()
            if failure is None:
                raise self.face.error(error) from None
            item = ResponseItem("response", 0, None, None, None, failure)
        if item.failure is None:
            self._lasting.begin(self.number, self.revision)
        elif self._reach is not None:
            failure = self._reach.refused(self.face.placed(item.failure, self.target, opening=True))
            return item._replace(failure=failure)
        return item

    async def _ended_before(self) -> Any:
        """The failure that ended the connection, if it has ended and its `closed` item is
        still on the way.
        """
        if self.describe():
            return None
        with move_on_after(CLOSE_SECONDS):
            await self.over.wait()
        return self.failure

    async def discover(self) -> ResponseItem:
        """Ask `server/discover` without anything else; returns the `response` item, with the
        answer as the server sent it.
        """
        try:
            return await self.driver.answer(self.engine.discover(self.number))
        except _mcpbolt.EngineError as error:
            raise self.face.error(error) from None

    def adopt(self, revision: str, discovered: str) -> None:
        """Begin with an earlier answer to `server/discover`, given as JSON text, without asking."""
        try:
            self.engine.adopt(self.number, revision, discovered)
        except _mcpbolt.EngineError as error:
            raise self.face.error(error) from None
        self._lasting.begin(self.number, lambda: revision)

    def describe(self) -> dict[str, Any]:
        """The engine's description of the connection."""
        return self.driver.inbox.describe_connection(self.number) or {}

    def revision(self) -> str | None:
        """The revision that is spoken, once that is known."""
        return self.describe().get("revision")

    def stats(self) -> dict[str, Any]:
        """The counters of the connection."""
        return self.driver.inbox.connection_stats(self.number) or {}

    def session_id(self) -> str | None:
        """The session id that the server assigned, if any."""
        self._session_id = self.describe().get("sessionId") or self._session_id
        return self._session_id

    async def close(self) -> None:
        """Close the connection. May be called more than once and from any task; ends in
        bounded time.
        """
        if not (self.over.is_set() or self.driver.inherited()):
            self.session_id()
            self.driver.inbox.close_connection(self.number)
            with move_on_after(CLOSE_SECONDS, shield=True):
                await self.over.wait()
        if self._pump is not None:
            pump, self._pump = self._pump, None
            pump.stop()
        self._release()

    def _release(self) -> None:
        if self._released:
            return
        self._released = True
        self._lasting.end(self.number)
        for call in list(self._calls.values()):
            task = self.driver.tasks.get(call)
            if task is not None:
                task.cancel()
        self._calls.clear()
        self.driver.forget(self._services)
        self.driver.leave(self.number)
        self.driver.release()

    def open_stream(
        self,
        method: str,
        params: str,
        take: Callable[[str, Any], None],
        ended: Callable[[ResponseItem], None],
        more: dict[str, Any] | None = None,
    ) -> Callable[[], None]:
        """Begin a request that stays open.

        Args:
            method: The request's method.
            params: The params as JSON text.
            take: Called with each notification of the request.
            ended: Called with its `response` item, unless the caller ended it.
            more: Further options of the verb `request_with`.

        Returns:
            A function that ends the request.
        """
        driver = self.driver
        try:
            plan = {"timeout": None, "max": None, **(more or {})}
            number = driver.inbox.request_with(self.number, method, params, dumps(plan))
        except _mcpbolt.EngineError as error:
            raise self.face.error(error) from None
        self._streams[number] = take

        async def wait() -> None:
            try:
                ended(await driver.answer(number))
            finally:
                self._streams.pop(number, None)

        task = driver.spawn(wait(), self.context.copy())

        def stop() -> None:
            task.cancel()

        return stop

    async def send(self, method: str, params: str | None) -> None:
        """Send a notification."""
        if self.over.is_set():
            raise self.face.closed()
        await self.driver.send(self.number, method, params)

    def respond(self, number: Any, row: tuple[Any, ...]) -> None:
        """Answer a request of the server. `row` is a row of `Inbox.complete_many` without the
        call's number.
        """
        call = self._calls.pop(number, None)
        if call is not None and not self._released:
            self.driver.finish((call, *row))

    async def run(self, item: RequestItem) -> None:
        """Start a task that answers a request of the server."""
        call, method, params = item.call, item.method, item.params
        about = self.driver.inbox.describe(call) or {}
        number = about.get("id", call)
        self._calls[number] = call
        SERVED.set(call)
        try:
            await self.session.answer_request(number, method, params, about.get("key"))
        except Exception as error:
            meant = self.face.answer(error)
            if meant is None:
                logger.exception("Uncaught exception while answering %s", method)
                meant = -32603, f"the client failed: {type(error).__name__}", None
            code, message, data = meant
            self.respond(number, (None, "", code, message, None if data is None else dumps(data)))
        except BaseException:
            # The server cancelled the request, or the connection ended.
            self._calls.pop(number, None)
            raise
        finally:
            self.driver.tasks.pop(call, None)

    def run_sync(self, item: RequestItem) -> Row:
        """Not used: requests of servers are answered on the loop, not on worker threads."""
        raise NotImplementedError

    def notified(self, item: NotificationItem) -> Coroutine[Any, Any, None] | None:
        """Queue a notification for the session."""
        method, params = item.method, item.params
        stream = self._streams.get(item.cause)
        if stream is not None:
            stream(method, params)
        else:
            self.show(method, params)
        return None

    def show(self, method: str, params: Any) -> None:
        """Hand a notification to the session, after all that came before it."""
        if self.session.wants(method):
            self.serial.put(lambda: self.session.take_notification(method, params))

    def event(self, item: Item) -> None:
        """Handle any other item of the connection."""
        kind, _, *members = item
        if kind == "outgoing":
            if self._pump is not None:
                self._pump.more.set()
        elif kind == "log":
            self._remark(*members)
        elif kind == "closed":
            (self.failure,) = members
            self._lasting.end(self.number, None if self.failure is None else self.failure[0])
            self.over.set()

    def _remark(self, kind: str, words: str) -> None:
        if kind == "stderr" and self._on_stderr is not None:
            self._on_stderr(words)
            return
        logger.debug("%s: %s", kind, words)
        if kind in face.current.remarks and self.session.wants("fault"):
            self.serial.put(lambda: self.session.take_fault(self.face.violation(words)))
