"""What the examples share: the command line, and answers without a person.

Every server takes `--http HOST:PORT` and otherwise serves stdio; every client takes a URL,
or `-- COMMAND ARGS`, last.
"""

import argparse
import logging
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from mcpbolt import StdioServerParameters
from mcpbolt.client.sse import sse_client
from mcpbolt.server.fastmcp import FastMCP
from mcpbolt.types import ContentBlock, SamplingMessageContentBlock, TextContent


def server_arguments(description: str | None) -> argparse.ArgumentParser:
    """The command line of a server."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--http",
        metavar="HOST:PORT",
        help="serve HTTP: the MCP endpoint at /mcp, HTTP+SSE of 2024-11-05 at /sse; without it stdin and stdout",
    )
    return parser


def serve(mcp: FastMCP, http: str | None) -> None:
    """Serve until the client leaves (stdio), Ctrl-C or SIGTERM."""
    # stdout belongs to the protocol.
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    if http is None:
        mcp.run()
        return
    logging.getLogger("mcp.server.fastmcp.server").setLevel(logging.INFO)
    host, _, port = http.rpartition(":")
    mcp.settings.host, mcp.settings.port = host.strip("[]"), int(port)
    mcp.run("streamable-http")


def client_arguments(description: str | None) -> argparse.ArgumentParser:
    """The command line of a client, which ends with the server."""
    parser = argparse.ArgumentParser(
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="%(prog)s [options] URL | %(prog)s [options] -- COMMAND [ARGS]",
    )
    parser.add_argument("server", nargs="+", metavar="URL | -- COMMAND", help="the server")
    return parser


def target(words: Sequence[str]) -> Any:
    """The server those words name: for `Client`."""
    first, *rest = words
    if not rest and first.endswith("/sse"):
        return sse_client(first)
    if not rest and "://" in first:
        return first
    return StdioServerParameters(command=first, args=rest)


def text_of(content: Iterable[ContentBlock | SamplingMessageContentBlock]) -> str:
    """The words of some content, one block per line."""
    return "\n".join(block.text for block in content if isinstance(block, TextContent))


def fill_in(schema: dict[str, Any]) -> dict[str, Any]:
    """Something that fits each field of a form; its default where it has one."""
    fields: dict[str, dict[str, Any]] = schema.get("properties", {})
    return {name: field["default"] if "default" in field else _fitting(field) for name, field in fields.items()}


_TEXTS = {
    "email": "ada@example.com",
    "uri": "https://example.com/",
    "date": "2026-07-28",
    "date-time": "2026-07-28T12:00:00Z",
}


def _fitting(field: dict[str, Any]) -> Any:
    match field.get("type"):
        case "boolean":
            return True
        case "integer" | "number":
            return field.get("minimum", 1)
        case "array":
            return [_choice(field["items"])]
        case _:
            return _choice(field) or _TEXTS.get(field.get("format", ""), "Ada")


def _choice(field: dict[str, Any]) -> Any:
    """The first of the values there are to choose from."""
    plain: list[Any] = field.get("enum", [])
    titled: list[dict[str, Any]] = field.get("oneOf") or field.get("anyOf") or []
    return next(iter(plain), titled[0]["const"] if titled else None)
