"""Answers, requests and schemas that are not what they should be."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from floods import calls
from peers import (
    ALICE,
    BOUND,
    Answer,
    Failed,
    Lines,
    ask,
    call,
    dial,
    expect,
    hostile,
    listening,
    modern,
    served,
    spoken,
    text_of,
    until,
    web,
)

Command = list[str]
# Exponential in any engine that goes back; the engine's budget ends it.
BOMB = "^(a+)+$"
VICTIM = "a" * 40 + "!"
# Longest time a loop may be busy with one message. A build with debug assertions reads 100 MiB.
STALL_MS = 2000


def unreadable(client: Command, tool: str, http: bool) -> str:
    """An answer that cannot be read ends its call, and no other."""
    tools = [tool, "echo"]
    if http:
        with listening(hostile(), {}) as (port, _):
            said = calls(client, [f"http://127.0.0.1:{port}/mcp"], tools)
    else:
        said = calls(client, ["--", *hostile()], tools)
    bad, good = said["calls"]
    expect(bad["error"] is not None, "the call succeeded")
    expect(good["error"] is None, f"another call failed: {good['error']}")
    return f"failed after {bad['seconds']:.1f} s: {bad['error'][:60]}"


def words(client: Command) -> str:
    """The id comes back as text."""
    said = calls(client, ["--", *hostile()], ["words"])["calls"][0]
    expect(said["error"] is None, f"the call failed: {said['error']}")
    return f"answered after {said['seconds']:.2f} s"


def bomb_for_client(client: Command) -> str:
    """A server's regular expression that never ends."""
    said = calls(client, ["--", *hostile(pattern=BOMB)], ["bomb", "echo"], bound=BOUND)
    expect(said["stalled"] < STALL_MS, f"the loop stood still for {said['stalled']} ms")
    expect(said["calls"][1]["error"] is None, f"another call failed: {said['calls'][1]['error']}")
    return f"loop held for {said['stalled']} ms at most"


def bomb_for_server(server: Command) -> str:
    """A schema on a server of the low level, and an argument for it."""
    with spoken([*server, "lowlevel"], {"pattern": BOMB}) as lines:
        bad = lines.start("bomb", text=VICTIM)
        good = lines.start("echo", text="alive")
        seen = answers(lines, bad, good)
        expect(text_of(seen[good]) == "alive", f"another call: {text_of(seen[good])}")
        return "another call is answered"


def heard(lines: Lines, wanted: set[int]) -> list[Any]:
    """What the server says until some requests are answered."""
    said: list[Any] = []
    left = set(wanted)
    overdue = threading.Timer(BOUND, lines.process.kill)
    overdue.start()
    while left and (message := lines.next()):
        said.append(message)
        left.discard(message.get("id"))
    overdue.cancel()
    expect(not left, f"not answered within {BOUND:g} s: {len(left)} of {len(wanted)}")
    return said


def answers(lines: Lines, *wanted: int) -> dict[int, Any]:
    """The answers to some requests."""
    return {message["id"]: message for message in heard(lines, set(wanted)) if "id" in message}


class Trap:
    """A port that nobody may knock at."""

    def __enter__(self) -> Trap:
        self.door = socket.create_server(("127.0.0.1", 0))
        self.door.setblocking(False)
        self.sprung = False
        self.url = f"http://127.0.0.1:{self.door.getsockname()[1]}/schema.json"
        return self

    def __exit__(self, *_: object) -> None:
        self.door.close()

    def is_sprung(self) -> bool:
        with contextlib.suppress(BlockingIOError):
            self.door.accept()[0].close()
            self.sprung = True
        return self.sprung


def elsewhere_for_client(client: Command) -> str:
    """A result whose schema is somewhere on the network."""
    with Trap() as trap:
        said = calls(client, ["--", *hostile(ref=trap.url)], ["elsewhere", "echo"])
        expect(not trap.is_sprung(), "the client fetched the schema")
        return f"nothing fetched: {said['calls'][0]['error'] or 'answered'}"[:80]


def elsewhere_for_server(server: Command) -> str:
    with Trap() as trap, spoken([*server, "lowlevel"], {"ref": trap.url}) as lines:
        asked = lines.start("elsewhere", text="x")
        answering = threading.Thread(target=lines.next, daemon=True)
        answering.start()
        # Whichever comes first: an answer, or somebody at the door.
        until("an answer", lambda: trap.is_sprung() or not answering.is_alive())
        expect(not trap.sprung, "the server fetched the schema")
        return f"nothing fetched for request {asked}"


def replays(server: Command) -> str:
    """One confirmation, sent thirty times at once."""
    with listening(web(server), {}) as (port, _):
        _, asked = ask(port, call(port, "confirm"))
        state = (asked or {}).get("result", {}).get("requestState")
        expect(state is not None, f"no question: {text_of(asked)}")
        answered = {"pay": {"action": "accept", "content": {"ok": True}}}
        again = modern(port, "tools/call", name="confirm", arguments={}, requestState=state, inputResponses=answered)
        with ThreadPoolExecutor(30) as pool:
            statuses = list(pool.map(lambda _: ask(port, again, ALICE)[1], range(30)))
        done = sum(text_of(message) == "done" for message in statuses)
        ran = json.loads(text_of(ask(port, call(port, "counted"))[1]))["confirmed"]
        expect(done == ran == 1, f"{ran} ran, {done} of 30 say so")
        return "1 of 30 ran"


def requests(port: int) -> dict[str, bytes]:
    """Requests that two readers could understand in two ways, each with a whole call in it."""
    whole = call(port, "echo", text="alive")
    parts, _, body = whole.partition(b"\r\n\r\n")
    without = b"\r\n".join(line for line in parts.split(b"\r\n") if not line.startswith(b"Content-Length"))
    chunked = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)

    def more(*headers: bytes) -> bytes:
        return b"\r\n".join((parts, *headers)) + b"\r\n\r\n" + body

    def coded(value: bytes) -> bytes:
        return without + b"\r\nTransfer-Encoding: " + value + b"\r\n\r\n" + chunked

    return {
        "two Authorization": more(b"Authorization: Bearer a", b"Authorization: Bearer b"),
        "two Host": more(b"Host: evil.example"),
        "gzip, chunked": coded(b"gzip, chunked"),
        "chunked, gzip": coded(b"chunked, gzip"),
        "two lengths": more(b"Content-Length: 1"),
        "absolute form against Host": whole.replace(b"POST /mcp", b"POST http://evil.example/mcp", 1),
        "token of 1 MB": call(port, "echo", meta={"progressToken": "x" * 1_000_000}, text="alive"),
        "token that is an object": call(port, "echo", meta={"progressToken": {"a": 1}}, text="alive"),
    }


def ambiguous(server: Command) -> str:
    """None of them is answered, and the server lives."""
    with listening(web(server), {}) as (port, _):
        served(port, ALICE)
        accepted = [name for name, request in requests(port).items() if is_answered(port, request)]
        expect(not accepted, f"accepted: {'; '.join(accepted)}")
        served(port, ALICE)
        return f"{len(requests(port))} refused"


def is_answered(port: int, request: bytes) -> bool:
    """Whether the call in a request ran."""
    with dial(port, ALICE) as sock:
        try:
            sock.sendall(request)
            return text_of(Answer(sock).message()) == "alive"
        except (OSError, Failed, ValueError):
            return False


def not_a_number(server: Command) -> str:
    """NaN has no JSON: an error that says so, not null."""
    with spoken([*server, "stdio"], {}) as lines:
        asked = lines.start("nan")
        said = json.dumps(answers(lines, asked)[asked])
        expect('"value": null' not in said and ("error" in said.lower()), f"answered {said[:150]}")
        return "an error"


def surrogate(server: Command) -> str:
    """Words of an exception that are no Unicode end in a result, as others do."""
    with spoken([*server, "stdio"], {}) as lines:
        asked = lines.start("surrogate")
        message = answers(lines, asked)[asked]
        expect(message.get("result", {}).get("isError") is True, f"answered {json.dumps(message)[:150]}")
        return "isError"


def forked(server: Command) -> str:
    """A child of a handler that leaves answers nobody."""
    with spoken([*server, "stdio"], {}) as lines:
        asked, after = lines.start("forked"), lines.start("echo", text="alive")
        seen = [text_of(message) for message in heard(lines, {asked, after}) if message.get("id") == asked]
        expect(seen == ["parent"], f"answered {seen}")
        return "the parent answers, once"
