"""`python -m mcpbolt.server`: a server of nothing on standard streams, for trying a client."""

from __future__ import annotations

from .._runner import run
from ._run import serve_stdio
from .lowlevel.server import Server, package_version


def main() -> None:
    """Serve until the client leaves."""
    server: Server[object, object] = Server("mcpbolt", package_version())
    about = {"serverInfo": {"name": server.name, "version": package_version()}, "capabilities": {}}
    run(lambda: serve_stdio(server, about))


if __name__ == "__main__":
    main()
