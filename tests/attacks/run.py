"""Attacks on servers and clients of every language, as a stranger would run them.

    cargo xtask test attacks [--only REGEX] [--full]

Each attack is a function that starts what it attacks, does harm over sockets or standard
streams, and says what it met; it raises where the attack works. Owns: which attack goes
at which program, and the table. The programs are in `programs` and `src/bin`.
"""

from __future__ import annotations

import argparse
import functools
import re
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import floods
import holds
import lies
from peers import Failed

PROGRAMS = Path(__file__).parent / "programs"
Command = list[str]
# Most of an attack is waiting.
AT_ONCE = 4
DEPLOY = "the web server's: docs/guide/deploy.md"


@dataclass(frozen=True)
class Attack:
    """One row of the issue of attacks: on what, and what it has to meet."""

    name: str
    run: Callable[[Command], str]
    # The limit in docs/reference/limits.md, or what else stands in the way.
    meets: str
    targets: tuple[str, ...]
    full: bool = False
    # Where the program that has the socket, not the package, has to stop it.
    hosted: tuple[str, ...] = ()


STDIO = ("Rust", "Python", "Node", "Kotlin", "Swift")
HTTP = (*STDIO, "ASGI", "Express")
MOUNTED = ("ASGI", "Express")
# Node has times of its own, which docs/guide/deploy.md sets.
UNTIMED = ("ASGI",)
CLIENTS = ("Rust client", "Python client", "Node client")
LOW = ("Python",)


def attack(name: str, run: Callable[[Command], str], meets: str, *targets: str, **more: bool | tuple[str, ...]) -> Attack:
    return Attack(name, run, meets, targets, **more)  # type: ignore[arg-type]


def unreadable(tool: str, http: bool) -> Callable[[Command], str]:
    return functools.partial(lies.unreadable, tool=tool, http=http)


ATTACKS = [
    attack("replies that are read late", floods.burst, "send_queue.reply_bytes", *STDIO),
    attack("60 replies of 10 MiB", floods.burst_whole, "send_queue.reply_bytes", *STDIO, full=True),
    attack("20,000 replies, read 12 s late", floods.burst_many, "send_queue.reply_bytes", *STDIO, full=True),
    attack("replies that nobody reads", floods.never_read, "slow_reader", *STDIO),
    attack("HTTP+SSE, a burst of answers", floods.sse_burst, "send_queue.bytes, slow_reader", *HTTP),
    attack("PRI and nothing more", holds.preface, "head_timeout", *HTTP, hosted=UNTIMED),
    attack("HTTP/2 without SETTINGS", holds.settings_never, "head_timeout", *HTTP, hosted=UNTIMED),
    attack("a head that drips", holds.slow_head, "head_timeout", *HTTP, hosted=UNTIMED),
    attack("a body that drips", holds.slow_body, "body_rate, body_deadline", *HTTP, hosted=UNTIMED),
    attack("connections of one address", holds.connections, "per_principal.connections", *HTTP, hosted=MOUNTED),
    attack("addresses that others name", holds.forwarded, "trusted_proxies", *HTTP),
    attack("halves of 60 large bodies", holds.big_bodies, "per_principal.in_flight_bytes", *HTTP),
    attack("every place for a call", holds.all_calls, "max_in_flight, its reserve", *HTTP),
    attack("calls of one address", holds.own_share, "per_principal.in_flight", *HTTP),
    attack("half-open sessions", holds.half_open, "max_sessions, its reserve", *HTTP),
    attack("calls whose client hung up", holds.hung_up, "max_in_flight", *HTTP),
    attack("an answer of 101 MiB", unreadable("huge", False), "max_message_bytes", *CLIENTS),
    attack("an answer of 101 MiB, HTTP", unreadable("huge", True), "max_message_bytes", *CLIENTS),
    attack("an answer 100,000 deep", unreadable("deep", False), "max_depth", *CLIENTS),
    attack("an answer 100,000 deep, HTTP", unreadable("deep", True), "max_depth", *CLIENTS),
    attack("20 calls of 4 MiB at once", floods.outgoing, "max_in_flight_bytes", *CLIENTS),
    attack("an id that comes back as text", lies.words, "one call that matches", *CLIENTS),
    attack("a pattern that never ends", lies.bomb_for_client, "validation_steps", *CLIENTS),
    attack("a pattern that never ends", lies.bomb_for_server, "validation_steps", *LOW),
    attack("a schema on the network", lies.elsewhere_for_client, "never fetched", *CLIENTS),
    attack("a schema on the network", lies.elsewhere_for_server, "never fetched", *LOW),
    attack("30 replays of a confirmation", lies.replays, "taken once", *HTTP),
    attack("requests with two meanings", lies.ambiguous, "400", *HTTP),
    attack("NaN in structured content", lies.not_a_number, "a named error", "Python", "Node"),
    attack("a lone surrogate", lies.surrogate, "isError", "Python", "Node"),
    attack("a child that leaves", lies.forked, "no answer of its own", *LOW),
]


@dataclass
class Line:
    """How one attack on one program ended."""

    attack: Attack
    target: str
    verdict: str
    said: str
    took: float = 0.0


def commands(given: argparse.Namespace) -> dict[str, Command]:
    """What starts each program that is here."""
    python, node = [sys.executable], [given.node]
    served = PROGRAMS / "served.py", PROGRAMS / "served.mjs"
    found = {
        "Rust": [f"{given.rust}/attacked-server"],
        "Python": [*python, str(served[0])],
        "Node": [*node, str(served[1])],
        "Rust client": [f"{given.rust}/attacked-client"],
        "Python client": [*python, str(PROGRAMS / "client.py")],
        "Node client": [*node, str(PROGRAMS / "client.mjs")],
        "ASGI": [*python, str(served[0]), "asgi"],
        "Express": [*node, str(served[1]), "express"],
    }
    for name in ("Kotlin", "Swift"):
        if folder := getattr(given, name.lower()):
            found[name] = [f"{folder}/attacked-server"]
    return found


def meeting(attack: Attack, target: str, command: Command) -> Line:
    """One attack on one program."""
    started = time.monotonic()
    try:
        verdict, said = "ok", attack.run(command)
    except Failed as failed:
        verdict, said = "FAILED", str(failed)
    except Exception as broken:
        verdict, said = "FAILED", f"{type(broken).__name__}: {broken}"
    line = Line(attack, target, verdict, said, time.monotonic() - started)
    if verdict == "FAILED":
        print(f"    FAILED  {attack.name}: {target}: {said}", flush=True)
    return line


def rows(given: argparse.Namespace) -> Iterator[tuple[Attack, str]]:
    for each in ATTACKS:
        for target in each.targets:
            if re.search(given.only, f"{each.name}: {target}", re.IGNORECASE):
                yield each, target


def run(given: argparse.Namespace) -> list[Line]:
    known = commands(given)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        pending: list[Line | Future[Line]] = []
        for each, target in rows(given):
            if target in each.hosted:
                pending.append(Line(each, target, "host's", DEPLOY))
            elif target not in known or (each.full and not given.full):
                pending.append(Line(each, target, "not run", "only with --full, where its tools are"))
            else:
                pending.append(pool.submit(meeting, each, target, known[target]))
        return [each if isinstance(each, Line) else each.result() for each in pending]


def table(lines: list[Line]) -> str:
    cells = [("attack", "on", "meets", "", "s", "what was seen")]
    cells += [
        (line.attack.name, line.target, line.attack.meets, line.verdict, f"{line.took:.1f}", line.said.replace("\n", " ")[:150])
        for line in lines
    ]
    widths = [max(len(row[at]) for row in cells) for at in range(5)]
    return "\n".join("    " + "  ".join([*(c.ljust(w) for c, w in zip(row, widths)), row[5]]) for row in cells)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rust", required=True, help="folder of the programs in Rust")
    parser.add_argument("--node", required=True, help="what runs JavaScript")
    parser.add_argument("--kotlin", help="folder of the programs in Kotlin")
    parser.add_argument("--swift", help="folder of the programs in Swift")
    parser.add_argument("--full", action="store_true", help="the large ones too")
    parser.add_argument("--only", default="", metavar="REGEX", help="rows whose attack or program match")
    started = time.monotonic()
    lines = run(parser.parse_args())
    print(table(lines))
    count = {word: sum(line.verdict == word for line in lines) for word in ("ok", "FAILED", "host's", "not run")}
    print("    " + ", ".join(f"{number} {word}" for word, number in count.items()), f"in {time.monotonic() - started:.0f} s")
    return 1 if count["FAILED"] else 0


if __name__ == "__main__":
    sys.exit(main())
