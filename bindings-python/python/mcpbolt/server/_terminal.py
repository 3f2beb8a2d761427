"""A hint for people who start a server of standard streams by hand.

Owns: that hint. The server waits for a client's messages, which looks as if it hung.
"""

from __future__ import annotations

import os
import sys

from .._engine import face


def tell_terminal() -> None:
    """Print on standard error what the server waits for, if standard input is a terminal."""
    try:
        by_hand = face.current.own_words and sys.stdin.isatty()
    except (AttributeError, OSError, ValueError):
        return
    if not by_hand:
        return
    file = os.path.basename(_file())
    print(
        f"{file or 'This server'} speaks MCP over stdio and waits for a client on this terminal. To try it: "
        f"`mcpbolt dev {file or 'FILE'}` (the MCP Inspector). For HTTP: mcp.run(transport=\"http\"), "
        f"or `mcpbolt run {file or 'FILE'} -t http`. Ctrl-C ends it.",
        file=sys.stderr,
        flush=True,
    )


def _file() -> str:
    # If the command runs the file, `__main__` is the command's own file.
    for name in ("server_module", "__main__"):
        module = sys.modules.get(name)
        if module is not None and getattr(module, "__file__", None):
            return str(module.__file__)
    return ""
