"""Forked children of this process.

Owns: the number of this process, cached, and telling the engine that it is a child. Must not
know: what a child may not do with what its parent made.
"""

from __future__ import annotations

import os

from .._mcpbolt import forked

# Cached: a system call with each request would cost more than the check that needs it.
process = os.getpid()


def _forked() -> None:
    global process
    process = os.getpid()
    # Until it ends, nothing that the child does must reach its parent's peers.
    forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
