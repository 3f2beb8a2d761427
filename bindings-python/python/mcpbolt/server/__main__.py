"""`python -m mcpbolt.server [FILE[:OBJECT]]`: serve over the standard streams. Serves the
server in the file, or an empty one for trying out a client.
"""

from __future__ import annotations

import sys

from .._engine.runner import run
from ._run import serve_stdio
from .lowlevel.server import Server, package_version


def main() -> None:
    """Serve until the client disconnects."""
    if len(sys.argv) > 1:
        from ..cli import main as command

        raise SystemExit(command(["run", *sys.argv[1:]]))
    server: Server[object, object] = Server("mcpbolt", package_version())
    about = {"serverInfo": {"name": server.name, "version": package_version()}, "capabilities": {}}
    run(lambda: serve_stdio(server, about))


if __name__ == "__main__":
    main()
