"""Many calls while nodes are killed.

Owns: what happens to the fleet meanwhile, and what may come of a call: its own right answer, or a
failure that the client can see while something happened. Must not know: how programs are started,
how calls are made.
"""

from __future__ import annotations

import json
import random
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from checks import Fleet, expect, opens
from processes import Failed, until

# So long after something happened a call may still be told of it, in seconds.
AFTER = 1.5
# Share of the calls that has to have its own answer.
MOST = 0.98


@dataclass
class Happening:
    """Something that may end calls which were under way, in seconds since 1970."""

    what: str
    begins: float
    ends: float


@dataclass
class Storm:
    """How many calls there are at least, and what happens to the fleet meanwhile."""

    caller: str
    calls: int
    # Seconds from one happening to the next.
    between: float
    # Whether the store and the balancer have their turn as well.
    everything: bool

    def __call__(self, fleet: Fleet) -> str:
        dice, happened = random.Random(1), list[Happening]()
        turns = [_balancer, _store] if self.everything else []
        command = [self.caller, "--port", str(fleet.balancer.port), "--calls", str(self.calls)]
        # A file, because a pipe that nobody reads yet would hold up the caller.
        with tempfile.TemporaryFile("w+") as out, subprocess.Popen(command, stdin=subprocess.PIPE, stdout=out) as caller:
            assert caller.stdin
            try:
                while not _ended(caller, self.between):
                    happened.append(_node(fleet, dice))
                    if turns:
                        time.sleep(self.between)
                        happened.append(turns.pop()(fleet))
                    else:
                        caller.stdin.close()
            finally:
                caller.kill()
            expect(caller.returncode == 0, f"the caller ended with {caller.returncode}")
            out.seek(0)
            said = json.load(out)
        _judge(said, happened, fleet.runs)
        failed = Counter(failure["what"] for failure in said["failed"])
        told = ", ".join(f"{count} {what}" for what, count in failed.most_common()) or "none failed"
        times = ", ".join(f"{what} {count}\u00d7" for what, count in Counter(one.what for one in happened).items())
        return f"{said['right']} calls right, {told}; meanwhile {times}; none wrong, none lost, none run twice"


def _ended(caller: subprocess.Popen[bytes], seconds: float) -> bool:
    try:
        return caller.wait(seconds) is not None
    except subprocess.TimeoutExpired:
        return False


def _during(what: str, happen: Callable[[], None]) -> Happening:
    begins = time.time()
    happen()
    return Happening(what, begins, time.time())


def _node(fleet: Fleet, dice: random.Random) -> Happening:
    node = dice.choice(fleet.nodes)
    # It is back much later than its death is seen: what fails then has another cause.
    happening = _during("a node killed", node.kill)
    node.start()
    return happening


def _store(fleet: Fleet) -> Happening:
    def restart() -> None:
        fleet.store.kill()
        fleet.store.start()
        until(lambda: all(opens(node.port) for node in fleet.nodes), "new sessions on all nodes")

    return _during("the store restarted", restart)


def _balancer(fleet: Fleet) -> Happening:
    return _during("the balancer reloaded", fleet.balancer.reload)


def _judge(said: dict[str, Any], happened: list[Happening], runs: Path) -> None:
    """Looks at each call.

    Raises:
        Failed: One came to an end that it may not have.
    """
    expect(said["wrong"] == 0, f"{said['wrong']} wrong: {said['named'][:3]}")
    calls = said["right"] + len(said["failed"])
    expect(said["right"] >= MOST * calls, f"only {said['right']} right of {calls}")
    for failure in said["failed"]:
        during = [one for one in happened if failure["from"] < one.ends + AFTER and one.begins < failure["to"]]
        expect(bool(during), f"call {failure['number']} failed ({failure['what']}) when nothing happened")
    times = Counter(int(line) for line in runs.read_text().splitlines() if line.isdecimal())
    twice = [number for number, count in times.items() if count > 1]
    expect(not twice, f"{len(twice)} calls ran twice: {twice[:3]}")
    failed = {failure["number"] for failure in said["failed"]}
    unseen = [number for number in range(calls) if number not in failed and number not in times]
    if unseen:
        raise Failed(f"{len(unseen)} calls have an answer and never ran: {unseen[:3]}")
