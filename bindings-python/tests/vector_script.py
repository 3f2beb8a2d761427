"""Scripts of `tests/vectors/binding`: what they say, how a message matches, who runs them.

Owns: steps, patterns, the envelope. Must not know: how the tested side is made; a
`Side` is. The format is described beside the scripts.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Protocol

from bounds import LIMIT, WHOLE
from mcpbolt import _mcpbolt
from mcpbolt._engine.driver import _drivers

FOLDER = Path(__file__).parents[2] / "tests/vectors/binding"
META = "io.modelcontextprotocol/"
MODERN = "2026-07-28"
SERVER_PEER = {
    "tools": {"listChanged": True},
    "prompts": {},
    "resources": {"subscribe": True},
    "logging": {},
    "completions": {},
}
CLIENT_PEER = {"elicitation": {"form": {}}, "sampling": {}, "roots": {"listChanged": True}}


class Fault(AssertionError):
    """A vector does not hold."""


def vectors() -> list[tuple[str, dict[str, Any]]]:
    found: list[tuple[str, dict[str, Any]]] = []
    for file in sorted(FOLDER.glob("*.json")):
        found += [(vector["id"], vector) for vector in json.loads(file.read_text())["vectors"]]
    return found


class Names:
    """Values that a script has bound, and what matches them."""

    def __init__(self) -> None:
        self.bound: dict[str, Any] = {}

    def fill(self, value: Any) -> Any:
        """An input with the bound values in it."""
        if isinstance(value, dict):
            return {name: self.fill(part) for name, part in value.items() if part != "$absent"}
        if isinstance(value, list):
            return [self.fill(part) for part in value]
        if isinstance(value, str) and value.startswith("$get:"):
            if value[5:] not in self.bound:
                raise Fault(f"nothing is bound to {value[5:]}")
            return self.bound[value[5:]]
        return value

    def matches(self, pattern: Any, value: Any) -> bool:
        """Whether a value is what a pattern says; binds names even if not all of it matches."""
        if isinstance(pattern, dict):
            return isinstance(value, dict) and all(self._member(value, *part) for part in pattern.items())
        if isinstance(pattern, list):
            if not isinstance(value, list) or len(pattern) != len(value):
                return False
            return all(self.matches(*pair) for pair in zip(pattern, value))
        if isinstance(pattern, str) and pattern.startswith("$"):
            word, _, rest = pattern.partition(":")
            if word == "$let":
                self.bound[rest] = value
                return True
            if word == "$get":
                return self.matches(self.fill(pattern), value)
            if word == "$contains":
                return isinstance(value, str) and rest in value
            return word == "$any"
        # True is 1 to Python, and no number to JSON.
        return pattern == value and isinstance(pattern, bool) == isinstance(value, bool)

    def _member(self, value: dict[str, Any], name: str, pattern: Any) -> bool:
        if pattern == "$absent":
            return name not in value
        return name in value and self.matches(pattern, value[name])

    def hide(self, text: str) -> str:
        """A message with names where bound values were, so that two runs compare."""
        for name, value in self.bound.items():
            text = text.replace(json.dumps(value), f'"${name}"')
        return text


class Side(Protocol):
    """What is tested, with the program of the scripts on it."""

    open_first: bool

    async def start(self, desk: Desk, vector: dict[str, Any], revision: str) -> None: ...
    async def take(self, text: str) -> None:
        """The script's side says this."""

    async def receive(self) -> Any:
        """The next message of the tested side."""

    async def act(self, action: str, given: Any, whole: dict[str, Any]) -> None: ...
    async def disconnect(self) -> None: ...
    async def stop(self) -> None: ...


class Desk:
    """What was sent and noted and nobody has named yet."""

    def __init__(self) -> None:
        self.sent: list[Any] = []
        self.noted: list[dict[str, Any]] = []
        self.open_handlers = 0
        self.moved = asyncio.Event()
        self.reading = asyncio.Event()
        self.reading.set()

    def note(self, **event: Any) -> None:
        self.noted.append(event)
        self.moved.set()

    async def read(self, side: Side) -> None:
        while True:
            await self.reading.wait()
            message = await side.receive()
            await self.reading.wait()
            self.sent.append(message)
            self.moved.set()

    async def until(self, ready: Callable[[], bool], what: str) -> None:
        async def wait() -> None:
            while not ready():
                self.moved.clear()
                await self.moved.wait()

        try:
            await asyncio.wait_for(wait(), LIMIT)
        except asyncio.TimeoutError:
            raise Fault(f"{what}; sent {self.sent}, noted {self.noted}") from None

    async def rest(self) -> None:
        """Until nothing moves."""
        calm = 0
        while calm < 3:
            before = (len(self.sent), len(self.noted))
            for driver in list(_drivers.values()):
                if not await asyncio.to_thread(driver.inbox.settle, LIMIT):
                    raise Fault("it does not come to rest")
            for _ in range(20):
                await asyncio.sleep(0)
            calm = calm + 1 if before == (len(self.sent), len(self.noted)) else 0


class Run:
    """One vector for one revision."""

    def __init__(self, side: Side, vector: dict[str, Any], revision: str) -> None:
        self.side, self.vector, self.revision = side, vector, revision
        self.desk, self.names = Desk(), Names()
        self.told: list[Any] = []
        self.serving = vector["side"] == "server"
        self.peer = vector.get("peer", CLIENT_PEER if self.serving else SERVER_PEER)

    async def run(self) -> list[str]:
        """The messages it sent, as texts that compare."""
        await self.side.start(self.desk, self.vector, self.revision)
        reading = asyncio.ensure_future(self.desk.read(self.side))
        try:
            if self.vector.get("open", True):
                await self._open()
            for number, step in enumerate(self.vector["steps"], 1):
                try:
                    await self._step(step)
                except Fault as fault:
                    raise Fault(f"step {number}, {json.dumps(step)[:160]}: {fault}") from None
            await self._end()
        finally:
            reading.cancel()
            await self.side.stop()
        return [self.names.hide(json.dumps(message)) for message in self.told]

    async def _open(self) -> None:
        if self.serving:
            if self.revision < MODERN:
                info = {"name": "peer", "version": "1"}
                params = {"protocolVersion": self.revision, "capabilities": self.peer, "clientInfo": info}
                await self._recv({"id": "open", "method": "initialize", "params": params})
                await self._send({"id": "open", "result": "$any"})
                await self._recv({"method": "notifications/initialized"})
            return
        await self.side.act("open", True, {})
        if self.revision < MODERN:
            info = {"name": "peer", "version": "1"}
            result = {"protocolVersion": self.revision, "capabilities": self.peer, "serverInfo": info}
            await self._send({"id": "$let:open", "method": "initialize"})
            await self._recv({"id": "$get:open", "result": result})
            await self._send({"method": "notifications/initialized"})
        else:
            result = {"resultType": "complete", "supportedVersions": [self.revision], "capabilities": self.peer}
            await self._send({"id": "$let:open", "method": "server/discover"})
            await self._recv({"id": "$get:open", "result": {**result, "ttlMs": 0, "cacheScope": "private"}})
        await self._event({"answered": "open"})

    async def _step(self, step: dict[str, Any]) -> None:
        if "recv" in step:
            await self._recv(step["recv"])
        elif "send" in step:
            for _ in range(step.get("times", 1)):
                await self._send(step["send"])
        elif "event" in step:
            await self._event(step["event"])
        elif "do" in step:
            ((action, given), *_) = step["do"].items()
            self._nothing_left("an action")
            await self.side.act(action, given, self.names.fill(step["do"]))
        elif "quiet" in step:
            await self.desk.rest()
            self._nothing_left("quiet")
            if self.desk.noted:
                raise Fault(f"noted {self.desk.noted}")
        elif "advance" in step:
            _mcpbolt.advance(step["advance"])
        elif "reading" in step:
            (self.desk.reading.set if step["reading"] else self.desk.reading.clear)()
        elif "disconnect" in step:
            await self.side.disconnect()
        else:
            raise Fault("an unknown step")

    def _nothing_left(self, what: str) -> None:
        if self.desk.sent:
            raise Fault(f"{what} while a message waits that nobody named: {self.desk.sent}")

    async def _recv(self, message: Any) -> None:
        self._nothing_left("an input")
        if isinstance(message, str) and not message.startswith("$get:"):
            await self.side.take(message)
            return
        filled = self.names.fill(message)
        parts = filled if isinstance(filled, list) else [filled]
        whole = [self._envelope({"jsonrpc": "2.0", **part}) for part in parts]
        await self.side.take(json.dumps(whole if isinstance(filled, list) else whole[0]))

    def _envelope(self, message: dict[str, Any]) -> dict[str, Any]:
        method = message.get("method")
        if not self.serving or self.revision < MODERN or method is None:
            return message
        if "id" not in message and method != "notifications/cancelled":
            return message
        own = {
            f"{META}protocolVersion": self.revision,
            f"{META}clientInfo": {"name": "peer", "version": "1"},
            f"{META}clientCapabilities": self.peer,
        }
        params = message.get("params") or {}
        meta = {name: value for name, value in {**own, **params.get("_meta", {})}.items() if value != "$absent"}
        return {**message, "params": {**params, "_meta": meta}}

    async def _send(self, pattern: Any) -> None:
        # Streams carry one message at a time: an array comes as its parts.
        count = len(pattern) if isinstance(pattern, list) else 1
        await self.desk.until(lambda: len(self.desk.sent) >= count, f"nothing was sent, expected {pattern}")
        parts, self.desk.sent[:count] = self.desk.sent[:count], []
        message = parts if isinstance(pattern, list) else parts[0]
        if not self.names.matches(pattern, message):
            raise Fault(f"sent {json.dumps(message)}")
        self.told.append(message)

    async def _event(self, pattern: dict[str, Any]) -> None:
        found: list[dict[str, Any]] = []

        def ready() -> bool:
            found[:] = [event for event in self.desk.noted if self.names.matches(pattern, event)][:1]
            return bool(found)

        await self.desk.until(ready, "it was not noted")
        self.desk.noted.remove(found[0])

    async def _end(self) -> None:
        await self.side.disconnect()
        await self.desk.until(lambda: not self.desk.open_handlers, "handlers are running after the end")
        await self.desk.rest()
        self._nothing_left("the end")
        left = [event for event in self.desk.noted if "closed" not in event]
        if left:
            raise Fault(f"noted and not named: {left}")


def run(make: Callable[[], Side], vector: dict[str, Any], revision: str) -> list[str]:
    work: Coroutine[Any, Any, list[str]] = Run(make(), vector, revision).run()
    return asyncio.run(asyncio.wait_for(work, WHOLE))
