"""Ports for programs that have to be told theirs.

From below those that systems give to whoever asks for any: between the look and the start of
the program, nobody else on the machine is given one of these.
"""

from __future__ import annotations

import random
import socket

PORTS = range(10_000, 32_000)


def free_port() -> int:
    """One that nobody listens on."""
    while True:
        port = random.choice(PORTS)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
