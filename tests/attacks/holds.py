"""Doors held shut: connections, bodies and calls that never end."""

from __future__ import annotations

import contextlib
import json
import select
import socket
import threading
import time
from typing import Any

from peers import (
    ALICE,
    BOB,
    BOUND,
    HELLO,
    MALLORY,
    PROXY,
    Answer,
    Failed,
    ask,
    call,
    dial,
    expect,
    head,
    legacy,
    listening,
    memory,
    served,
    text_of,
    until,
    web,
)

MIB = 1 << 20
Command = list[str]
# How much later than promised a deadline may be seen.
SLACK = 3.0


def ends(sock: socket.socket, bound: float, drip: bytes = b"", every: float = 0.2) -> float:
    """How long it takes until the server closes a connection, sent a byte every so often."""
    started = time.monotonic()
    with contextlib.suppress(ConnectionError):
        while (passed := time.monotonic() - started) < bound:
            ready, _, _ = select.select([sock], [], [], every)
            if ready and not sock.recv(1 << 16):
                return passed
            if drip:
                sock.sendall(drip)
        raise Failed(f"the connection is still open after {passed:.1f} s")
    return time.monotonic() - started


def dripping_head(server: Command, first: bytes, drip: bytes) -> str:
    """Beginnings that never become a request meet `head_timeout`."""
    with listening(web(server), {"limits": {"head_timeout": 1}}) as (port, _):
        with dial(port, MALLORY) as sock:
            sock.sendall(first)
            took = ends(sock, 1 + SLACK, drip)
        served(port, ALICE)
        return f"closed after {took:.1f} s"


def preface(server: Command) -> str:
    return dripping_head(server, b"PRI ", b"")


def settings_never(server: Command) -> str:
    """The whole preface of HTTP/2, and no SETTINGS."""
    return dripping_head(server, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"")


def slow_head(server: Command) -> str:
    return dripping_head(server, b"POST /mcp HTTP/1.1\r\n", b"a")


def slow_body(server: Command) -> str:
    """A byte every 0.2 s is within the time for the next byte, and no body."""
    with listening(web(server), {"limits": {"body_timeout": 1, "body_rate": 100, "body_deadline": 2}}) as (port, _):
        with dial(port, MALLORY) as sock:
            sock.sendall(head(port, 1000))
            took = ends(sock, 2 + SLACK, b" ")
        served(port, ALICE)
        return f"closed after {took:.1f} s"


def connections(server: Command) -> str:
    """One address opens what it can: others get in, and so do those behind loopback."""
    with listening(web(server), {"limits": {"per_principal.connections": 10}}) as (port, _), contextlib.ExitStack() as stack:
        opened = [stack.enter_context(dial(port, MALLORY)) for _ in range(40)]
        served(port, ALICE)

        def still_open() -> int:
            closed, _, _ = select.select(opened, [], [], 0)
            return len(opened) - len(closed)

        until("connections of one address are bounded", lambda: still_open() <= 10, 5.0)
        local = [stack.enter_context(dial(port, "127.0.0.1")) for _ in range(40)]
        for sock in local:
            sock.sendall(call(port, "echo", text="alive"))
            expect(Answer(sock).status == 200, "loopback is not exempt")
        return f"{still_open()} of 40 open"


def big_bodies(server: Command) -> str:
    """Sixty halves of large bodies, from somebody nobody knows."""
    size, half = 8 * MIB, 4 * MIB
    limits = {"per_principal.in_flight_bytes": 16 * MIB}
    with listening(web(server), {"limits": limits}) as (port, process), contextlib.ExitStack() as stack:
        served(port, ALICE)
        before = memory(process)
        opened = [stack.enter_context(dial(port, MALLORY)) for _ in range(60)]
        for sock in opened:
            sock.setblocking(False)
        left = {sock: head(port, size) + b" " * half for sock in opened}
        push(left)
        grown = memory(process) - before
        served(port, ALICE)
        expect(grown < 100, f"{grown} MiB are held for one address that may have 16")
        return f"{grown} MiB held"


def push(left: dict[socket.socket, bytes], bound: float = 5.0) -> None:
    """Sends as much as the other side takes."""
    end = time.monotonic() + bound
    while left and time.monotonic() < end:
        _, ready, _ = select.select([], list(left), [], 0.5)
        if not ready:
            return
        for sock in ready:
            try:
                left[sock] = left[sock][sock.send(left[sock]) :]
            except OSError:
                left[sock] = b""
            if not left[sock]:
                del left[sock]


def all_calls(server: Command) -> str:
    """One address asks for every place; another is served all the same."""
    with listening(web(server), {"limits": {"max_in_flight": 20}}) as (port, _), contextlib.ExitStack() as stack:
        for _ in range(40):
            stack.enter_context(dial(port, MALLORY)).sendall(call(port, "hold", seconds=20))
        until("some calls run", lambda: counted(port, BOB)["now"] >= 10)
        for source in (ALICE, BOB):
            served(port, source)
        return f"{counted(port, BOB)['now']} of 20 places taken"


# Calls that begin in the same instant may pass a bound by one for each thread.
ONE_THREAD = {"TOKIO_WORKER_THREADS": "1"}


def own_share(server: Command) -> str:
    """`per_principal.in_flight` bounds what one address has running."""
    limits = {"max_in_flight": 100, "per_principal.in_flight": 10}
    with listening(web(server), {"limits": limits}, ONE_THREAD) as (port, _), contextlib.ExitStack() as stack:
        for _ in range(30):
            stack.enter_context(dial(port, MALLORY)).sendall(call(port, "hold", seconds=20))
        until("calls run", lambda: counted(port, ALICE)["now"] >= 9)
        status, message = ask(port, call(port, "hold", seconds=0.1), MALLORY)
        expect("result" not in (message or {}), f"one call more than its share is answered {status}")
        most = counted(port, ALICE)["most"]
        expect(most <= 10, f"{most} calls ran")
        return f"{most} ran, then {status}"


def counted(port: int, source: str) -> Any:
    """What the server says of its calls."""
    _, message = ask(port, call(port, "counted"), source)
    found = json.loads(text_of(message))
    expect("now" in found, f"another address gets {text_of(message)}")
    return found


def forwarded(server: Command) -> str:
    """Who is behind a trusted proxy is who counts; whoever else says so is not believed."""
    limits = {"max_in_flight": 100, "per_principal.in_flight": 5}
    settings = {"limits": limits, "trusted_proxies": [PROXY]}
    with listening(web(server), settings, ONE_THREAD) as (port, _), contextlib.ExitStack() as stack:

        def hold(source: str, *behind: str) -> None:
            via = [f"X-Forwarded-For: {', '.join(behind)}"] if behind else []
            stack.enter_context(dial(port, source)).sendall(call(port, "hold", *via, seconds=20))

        def running(at_least: int) -> None:
            until(f"{at_least} calls run", lambda: counted(port, ALICE)["now"] >= at_least, 5.0)

        for number in range(10):
            hold(MALLORY, f"203.0.113.{number}")
        running(5)
        for number in range(10):
            hold(PROXY, f"198.51.100.{number}", "203.0.113.77")
        running(10)
        for number in range(10):
            hold(PROXY, f"203.0.113.{100 + number}")
        running(20)
        most = counted(port, ALICE)["most"]
        expect(most <= 20, f"{most} calls ran: an address that is not trusted named others")
        return f"{most} ran: 5 of a liar, 5 behind a lie, 10 of ten"


def half_open(server: Command) -> str:
    """Sessions that never say they are ready: two addresses do not close the door for all."""
    # An eighth of the table may be half open, and a tenth of that is kept for who has none.
    limits = {"max_sessions": 400, "per_principal.sessions": 300}
    with listening(web(server), {"limits": limits}) as (port, _):
        for source in (MALLORY, BOB):
            for _ in range(40):
                ask(port, legacy(port, HELLO), source)
        status, message = ask(port, legacy(port, HELLO), ALICE)
        expect(status == 200 and "result" in message, f"another address gets {status} {text_of(message)}")
        return "a third address opens a session"


def hung_up(server: Command) -> str:
    """Calls whose client left still count, as long as their handlers run."""
    settings = {"limits": {"max_in_flight": 20}, "sessions": "none"}
    request = {"id": 1, "method": "tools/call", "params": {"name": "hold", "arguments": {"seconds": 20}}}
    with listening(web(server), settings) as (port, _):
        threads = [threading.Thread(target=call_and_leave, args=(port, request)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(BOUND)
        most = counted(port, ALICE)["most"]
        expect(most <= 20, f"{most} handlers ran where 20 may")
        return f"{most} ran"


def call_and_leave(port: int, request: dict[str, Any], times: int = 15) -> None:
    for _ in range(times):
        with contextlib.suppress(OSError), dial(port, MALLORY) as sock:
            sock.sendall(legacy(port, request, "MCP-Protocol-Version: 2025-11-25"))
            # Long enough for the call to begin; refusals come at once.
            select.select([sock], [], [], 0.1)
