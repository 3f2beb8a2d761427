"""Many calls while nodes are killed.

Owns: who calls, who is killed, and what may come of a call: its own right answer, or a failure that
the client can see when its node died under it. Must not know: how programs are started.
"""

from __future__ import annotations

import http.client
import random
import threading
import time
from collections import Counter
from dataclasses import dataclass, field

from checks import Fleet, expect
from processes import Failed
from talk import Client, Refused

CLIENTS = 8


@dataclass
class Seen:
    """What came of the calls."""

    ended: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, what: str) -> None:
        with self.lock:
            self.ended[what] += 1

    def complain(self, what: str) -> None:
        with self.lock:
            self.wrong.append(what)


def storm(fleet: Fleet, seconds: float, between: float) -> str:
    """Kills a node every `between` seconds, and starts it again."""
    seen, over = Seen(), threading.Event()
    sessions = [Client.open(fleet.balancer.port) for _ in range(CLIENTS)]
    threads = [threading.Thread(target=_call, args=(n, client, seen, over)) for n, client in enumerate(sessions)]
    for thread in threads:
        thread.start()
    end, kills, dice = time.monotonic() + seconds, 0, random.Random(1)
    try:
        while not over.wait(min(between, max(0.0, end - time.monotonic()))) and time.monotonic() < end:
            node = dice.choice(fleet.nodes)
            node.kill()
            kills += 1
            node.start()
    finally:
        over.set()
        for thread in threads:
            thread.join()
    expect(not seen.wrong, f"{len(seen.wrong)} wrong: {seen.wrong[:3]}")
    expect(seen.ended["right"] > 10 * CLIENTS, f"hardly a call went through: {dict(seen.ended)}")
    for client in sessions:
        client.call("echo", text="still here")
    told = ", ".join(f"{count} {what}" for what, count in seen.ended.most_common())
    return f"{kills} nodes killed under {CLIENTS} sessions: {told}; none wrong, no session lost"


def _call(number: int, client: Client, seen: Seen, over: threading.Event) -> None:
    calls = 0
    while not over.is_set():
        calls += 1
        text = f"{number}/{calls}"
        try:
            said = client.call("echo", text=text)
        except Refused as refused:
            # The balancer says it of a node that died, a node of a store that is slow.
            if refused.status not in (502, 503, 504):
                seen.complain(f"{text}: {refused}")
            seen.note(f"refused with {refused.status}")
        except (OSError, http.client.HTTPException, Failed) as failure:
            seen.note(f"cut off ({type(failure).__name__})")
        else:
            if said.partition(":")[2] != text:
                seen.complain(f"{text} was answered {said}")
            seen.note("right")
