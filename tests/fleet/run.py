"""Nodes in several languages on one store, behind one balancer.

    cargo xtask test fleet [--only REGEX] [--full]

Owns: which programs take part, and the table. What has to hold is in `checks.py` and `storm.py`.
"""

from __future__ import annotations

import argparse
import functools
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import processes
from checks import CHECKS, LONG_CHECKS, Fleet
from processes import Balancer, Program, RoundRobin, ran
from storm import Storm

PROGRAMS = Path(__file__).parent / "programs"
# How many nodes there are.
NODES = 3


def nodes(options: argparse.Namespace, stores: str, runs: Path) -> list[Program]:
    """One in each language that is given, and as many in Rust as make three."""
    commands = {"rust": [options.rust]}
    if options.python:
        commands["python"] = [options.python, str(PROGRAMS / "node.py")]
    if options.node:
        commands["node"] = [options.node, str(PROGRAMS / "node.mjs")]
    for number in range(2, NODES + 2 - len(commands)):
        commands[f"rust-{number}"] = [options.rust]
    made = []
    for name, command in commands.items():
        port = processes.free_port()
        made.append(Program(name, port, ["env", f"FLEET_RUNS={runs}", *command, name, str(port), stores]))
    return made


def official(options: argparse.Namespace) -> dict[str, list[str]]:
    """The official clients that are here."""
    programs = {}
    if options.python1 and options.python2:
        programs["python 1.30"] = [options.python1, str(PROGRAMS / "official/py1.py")]
        programs["python 2.3"] = [options.python2, str(PROGRAMS / "official/py2.py")]
    if options.official_node:
        runtime, folder = options.official_node
        programs["typescript 1.32"] = [runtime, f"{folder}/ts1.mjs"]
        programs["typescript 2.4"] = [runtime, f"{folder}/ts2.mjs"]
    return programs


def readers(options: argparse.Namespace) -> dict[str, list[str]]:
    """Our clients."""
    programs = {f"rust {what}": [options.reader, what] for what in ("resource", "tool")}
    if options.python:
        programs["python tool"] = [options.python, str(PROGRAMS / "reader.py"), "tool"]
    if options.node:
        programs["node tool"] = [options.node, str(PROGRAMS / "reader.mjs"), "tool"]
    return programs


def behind(balance: Callable[[str, list[Program]], Balancer], options: argparse.Namespace, storm: Storm) -> int:
    """Starts a fleet behind a balancer, and makes all checks; how many failed."""
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        store, runs = processes.store(options.redis, folder), Path(folder) / "runs"
        members = nodes(options, f"redis://127.0.0.1:{store.port}", runs)
        balancer = balance(folder, members)
        try:
            store.start()
            for member in members:
                member.start(wait=False)
            for member in members:
                member.wait()
            balancer.start()
            fleet = Fleet(store, members, balancer, runs, official(options), readers(options))
            checks = {check.__name__.replace("_", " "): check for check in CHECKS + LONG_CHECKS * options.full}
            for name, check in {**checks, "storm": storm}.items():
                if re.search(options.only, name):
                    failed += not ran(name, functools.partial(check, fleet))
        finally:
            for program in (balancer, *reversed(members), store):
                program.end()
    print(f"{failed} failed; {balancer.name} in front of {', '.join(member.name for member in members)}")
    return failed


def main() -> int:
    parser = argparse.ArgumentParser()
    for name in ("rust", "caller", "reader", "redis"):
        parser.add_argument(f"--{name}", required=True)
    for name in ("python", "node", "haproxy", "nginx", "python1", "python2"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--official-node", nargs=2)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    # The long form has a million calls, and everything happens; the short one two killed nodes or so.
    short = Storm(options.caller, calls=5_000, between=2.0, everything=options.full)
    long = Storm(options.caller, calls=1_000_000, between=10.0, everything=True)
    balancers: list[Callable[[str, list[Program]], Balancer]] = []
    for name, balancer in (("haproxy", processes.haproxy), ("nginx", processes.nginx)):
        if program := getattr(options, name):
            balancers.append(functools.partial(balancer, program))
    failed, storm = 0, long if options.full else short
    for balance in balancers or [lambda _, members: RoundRobin(members)]:
        failed += behind(balance, options, storm)
        storm = short
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
