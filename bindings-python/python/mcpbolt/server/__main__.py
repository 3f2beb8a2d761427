"""`python -m mcpbolt.server [FILE[:OBJECT]]`: a server on standard streams: the one in a
file, or one of nothing, for trying a client.
"""

from __future__ import annotations

import sys

from .._runner import run
from ._run import serve_stdio
from .lowlevel.server import Server, package_version


def main() -> None:
    """Serve until the client leaves."""
    if len(sys.argv) > 1:
        from ..cli import main as command

        raise SystemExit(command(["run", *sys.argv[1:]]))
    server: Server[object, object] = Server("mcpbolt", package_version())
    about = {"serverInfo": {"name": server.name, "version": package_version()}, "capabilities": {}}
    run(lambda: serve_stdio(server, about))


if __name__ == "__main__":
    main()
