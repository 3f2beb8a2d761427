"""Bursts of answers: nothing is lost, whoever reads late."""

from __future__ import annotations

import json
import subprocess
import threading
from typing import Any

from peers import (
    ALICE,
    BOUND,
    HELLO,
    Answer,
    Failed,
    Lines,
    dial,
    expect,
    head,
    hostile,
    legacy,
    listening,
    running,
    spoken,
    told,
    web,
)

MIB = 1 << 20
Command = list[str]


def late_reader(server: Command, calls: int, size: int, late: float, limits: dict[str, Any]) -> str:
    """Asks for everything at once, from one thread, and begins to read from another some time later."""
    with spoken([*server, "stdio"], {"limits": limits}) as lines:

        def writer() -> None:
            for _ in range(calls):
                lines.start("big", size=size)

        writing = threading.Thread(target=writer, daemon=True)
        writing.start()
        # The point of the attack is that nothing is read for a while; no event ends it.
        writing.join(late)
        answered = 0
        ended = watch(lines.process, BOUND + calls * size / (4 * MIB))
        while answered < calls and (message := lines.next()):
            expect(message.get("result", {}).get("content") is not None, f"an answer without result: {str(message)[:150]}")
            answered += 1
        ended.cancel()
        expect(answered == calls, f"{calls - answered} of {calls} replies lost")
        return f"{calls} replies of {size // 1024} KiB, read {late:g} s late"


def watch(process: subprocess.Popen[bytes], bound: float) -> threading.Timer:
    """Ends a process that owes an answer for too long: then reading ends too."""
    timer = threading.Timer(bound, process.kill)
    timer.daemon = True
    timer.start()
    return timer


def burst(server: Command) -> str:
    """More than the queue for replies holds."""
    return late_reader(server, 60, 200 * 1024, 1.0, {"send_queue.reply_bytes": 2 * MIB})


def burst_whole(server: Command) -> str:
    return late_reader(server, 60, 10 * MIB, 1.0, {})


def burst_many(server: Command) -> str:
    return late_reader(server, 20_000, 20_000, 12.0, {"max_in_flight": 30_000, "inbox.max_items": 30_000})


def never_read(server: Command) -> str:
    """Nothing is ever taken: the connection ends, and says why."""
    settings = {"limits": {"send_queue.reply_bytes": 1 * MIB, "slow_reader": 1}}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with running([*server, "stdio"], settings, **pipes) as process:
        lines = Lines(process)
        lines.open()

        def writer() -> None:
            try:
                for _ in range(60):
                    lines.start("big", size=200 * 1024)
            except OSError:
                pass  # It ended.

        threading.Thread(target=writer, daemon=True).start()
        try:
            process.wait(BOUND)
        except subprocess.TimeoutExpired:
            raise Failed("a peer that reads nothing holds the server") from None
        return f"ended with {process.returncode}"


def sse_burst(server: Command) -> str:
    """HTTP+SSE: thirty answers of a mebibyte, to a reader that takes them at its pace."""
    count, size = 30, MIB
    with listening(web(server), {}) as (port, _), dial(port, ALICE) as sock:
        sock.sendall(head(port, None, method="GET", path="/sse"))
        answer = Answer(sock)
        expect(answer.status == 200, f"GET /sse is answered {answer.status}")
        events = answer.events()
        name, path = next(events)
        expect(name == "endpoint", f"first came {name}")
        post(port, path, HELLO)
        expect("result" in json.loads(next(events)[1]), "no handshake")
        post(port, path, {"method": "notifications/initialized"})
        sent = [threading.Thread(target=post, args=(port, path, big(number, size))) for number in range(1, count + 1)]
        for thread in sent:
            thread.start()
        seen = set()
        try:
            for _, data in events:
                message = json.loads(data)
                expect("result" in message, f"an error: {str(message)[:150]}")
                seen.add(message["id"])
                if len(seen) == count:
                    break
        except (OSError, ValueError) as error:
            raise Failed(f"{count - len(seen)} of {count} answers lost: {error}") from None
        expect(len(seen) == count, f"{count - len(seen)} of {count} answers lost: the stream ended")
        for thread in sent:
            thread.join()
        return f"{count} answers of 1 MiB"


def big(number: int, size: int) -> dict[str, Any]:
    return {"id": number, "method": "tools/call", "params": {"name": "big", "arguments": {"size": size}}}


def post(port: int, path: str, message: dict[str, Any]) -> None:
    """A message to a session; what it answers comes on the stream."""
    try:
        with dial(port, ALICE, 2 * BOUND) as sock:
            sock.sendall(legacy(port, message, path=path))
            Answer(sock)
    except (OSError, Failed):
        pass  # The stream says what is missing.


def outgoing(client: Command) -> str:
    """Twenty calls of 4 MiB at once: a caller that awaits, waits."""
    said = calls(client, ["--", *hostile()], ["echo"] * 20, bytes=4 * MIB)
    refused = [each["error"] for each in said["calls"] if each["error"]]
    expect(not refused, f"{len(refused)} of 20 refused: {refused[:1]}")
    return "20 calls of 4 MiB at once"


def calls(client: Command, target: list[str], tools: list[str], bound: float = 2 * BOUND, **settings: Any) -> Any:
    """What a client of ours says of some calls, made all at once: how each ended, in the order of `tools`."""
    environment = told({"calls": tools, **settings})
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([*client, *target], env=environment, stdin=subprocess.DEVNULL, **pipes) as process:
        try:
            out, err = process.communicate(timeout=bound)
        except subprocess.TimeoutExpired:
            process.kill()
            raise Failed(f"a call has not ended after {bound:g} s") from None
    lines = out.decode().strip().splitlines()
    expect(bool(lines), f"the client ended with {process.returncode}: {err.decode(errors='replace').strip()[-200:]}")
    said = json.loads(lines[-1])
    said["calls"].sort(key=lambda each: tools.index(each["tool"]))
    return said

