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
from pathlib import Path

import processes
from checks import CHECKS, LONG_CHECKS, Fleet
from processes import Program, RoundRobin, ran
from storm import storm

PROGRAMS = Path(__file__).parent / "programs"
# How many nodes there are.
NODES = 3


def nodes(options: argparse.Namespace, stores: str) -> list[Program]:
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
        made.append(Program(name, port, [*command, name, str(port), stores]))
    return made


def main() -> int:
    parser = argparse.ArgumentParser()
    for name in ("rust", "redis"):
        parser.add_argument(f"--{name}", required=True)
    for name in ("python", "node", "haproxy"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    # A node is killed in the middle of the short form, and every ten seconds of the long one.
    seconds, between = (600.0, 10.0) if options.full else (6.0, 3.0)
    under_fire = functools.partial(storm, seconds=seconds, between=between)
    functools.update_wrapper(under_fire, storm)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        store = processes.store(options.redis, folder)
        members = nodes(options, f"redis://127.0.0.1:{store.port}")
        balancer = processes.haproxy(options.haproxy, folder, members) if options.haproxy else RoundRobin(members)
        everything = [store, *members, balancer]
        try:
            store.start()
            for member in members:
                member.start(wait=False)
            for member in members:
                member.wait()
            balancer.start()
            fleet = Fleet(store, members, balancer)
            long = LONG_CHECKS if options.full else []
            for check in [*CHECKS, *long, under_fire]:
                name = check.__name__.replace("_", " ")
                if not re.search(options.only, name):
                    continue
                failed += not ran(name, functools.partial(check, fleet))
        finally:
            for program in reversed(everything):
                program.end()
    print(f"{failed} failed; {balancer.name} in front of {', '.join(member.name for member in members)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
