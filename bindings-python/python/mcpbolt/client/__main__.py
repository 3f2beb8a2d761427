"""`python -m mcpbolt.client URL | [--] COMMAND [ARGUMENT ...]`: connect to a server and print
what it offers.
"""

from __future__ import annotations

import argparse
import logging
import sys
from functools import partial
from typing import Any
from urllib.parse import urlparse

import anyio

from .session import ClientSession
from .sse import sse_client
from .stdio import StdioServerParameters, stdio_client
from .streamable_http import streamable_http_client

logger: logging.Logger = logging.getLogger("client")


async def message_handler(message: Any) -> None:
    """Log notifications and errors."""
    if isinstance(message, Exception):
        logger.error("Error: %s", message)
    else:
        logger.info("Received message from server: %s", message)


async def run_session(read_stream: Any, write_stream: Any) -> None:
    """Do the handshake and print the server's capabilities."""
    async with ClientSession(read_stream, write_stream, message_handler=message_handler) as session:
        logger.info("Initializing session")
        result = await session.initialize()
        logger.info("Initialized: %s %s", result.serverInfo.name, result.serverInfo.version)


async def main(command_or_url: str, args: list[str], env: list[tuple[str, str]], sse: bool) -> None:
    """Connect to the server at a URL or to the one that a command starts."""
    if urlparse(command_or_url).scheme not in ("http", "https"):
        server = StdioServerParameters(command=command_or_url, args=args, env=dict(env))
        async with stdio_client(server) as streams:
            await run_session(*streams)
    elif sse:
        async with sse_client(command_or_url) as streams:
            await run_session(*streams)
    else:
        async with streamable_http_client(command_or_url) as (read, write, _):
            await run_session(read, write)


def cli() -> None:
    """Parse the command line and run `main`."""
    parser = argparse.ArgumentParser(
        prog="python -m mcpbolt.client",
        description="Connects to a server and says what it is.",
        epilog="Options of a command go after --: python -m mcpbolt.client -- python -m my_server --flag",
    )
    parser.add_argument("command_or_url", help="command or URL of the server")
    parser.add_argument("args", nargs="*", help="arguments of the command")
    parser.add_argument(
        "-e", "--env", nargs=2, action="append", metavar=("KEY", "VALUE"), default=[], help="environment variable"
    )
    parser.add_argument("--sse", action="store_true", help="the URL is an HTTP+SSE endpoint, as path /sse is")
    found = parser.parse_args()
    logging.basicConfig(level=logging.INFO, stream=sys.stderr)
    command_or_url: str = found.command_or_url
    sse: bool = found.sse or urlparse(command_or_url).path.endswith("/sse")
    anyio.run(partial(main, command_or_url, found.args, found.env, sse))


if __name__ == "__main__":
    cli()
