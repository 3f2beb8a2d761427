"""What the command does in Python: verbs for servers in Python files, and what is known here.

Owns: their names, help and exit codes. Must not know: how a server is found in a file, or what the
engine's part of the command does.
"""

from __future__ import annotations

import argparse
import logging
import os
import shutil
import subprocess
import sys
from typing import Any

from ._command import server_command
from ._install import UsageError, add_packages, packages_of, uv
from ._install import install as install_words
from ._load import LoadError, import_server, parse_spec

INSPECTOR = "@modelcontextprotocol/inspector"
TRANSPORTS = ("stdio", "sse", "streamable-http", "http")

_EPILOG = """\
A server is FILE or FILE:OBJECT. Without OBJECT it is the first of mcp, server and app that
the file has.
"""


def main(arguments: list[str] | None = None) -> int:
    """Run the command with these arguments, or with those of the process; returns the exit code.

    Args:
        arguments: The arguments of the command. Default: those of the process.
    """
    words = sys.argv[1:] if arguments is None else arguments
    if words[:1] == ["install"]:
        return install_words(words[1:])
    found = make_parser().parse_args(words)
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    try:
        return int(found.verb(found))
    except (LoadError, UsageError) as error:
        print(f"mcpbolt: {error}", file=sys.stderr)
        return 1


def make_parser() -> argparse.ArgumentParser:
    """Make the parser with all subcommands and their options."""
    parser = argparse.ArgumentParser(
        prog="mcpbolt",
        description="Runs servers of the Model Context Protocol that are in Python files.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    verbs = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_run(verbs)
    _add_dev(verbs)
    _add_install(verbs)
    verb = verbs.add_parser("version", help="print the version")
    verb.set_defaults(verb=show_version)
    verb = verbs.add_parser("limits", help="print every limit, its default and what happens beyond it")
    verb.set_defaults(verb=show_limits)
    return parser


def _add_server(verbs: Any, name: str, what: str) -> Any:
    verb = verbs.add_parser(name, help=what, description=f"{what[0].upper()}{what[1:]}.", epilog=_EPILOG)
    verb.add_argument("file_spec", metavar="FILE[:OBJECT]", help="the server")
    return verb


def _add_run(verbs: Any) -> None:
    verb = _add_server(verbs, "run", "run a server")
    verb.add_argument("-t", "--transport", choices=TRANSPORTS, help="how clients reach it; stdio by default")
    verb.add_argument("--host", help="address to listen on, for the HTTP transports; 127.0.0.1 by default")
    verb.add_argument("--port", type=int, help="port to listen on, for the HTTP transports; 8000 by default")
    verb.set_defaults(verb=run)


def _add_dev(verbs: Any) -> None:
    verb = _add_server(verbs, "dev", "run a server with the MCP Inspector, which needs Node and npx")
    add_packages(verb)
    verb.set_defaults(verb=dev)


def _add_install(verbs: Any) -> None:
    verb = verbs.add_parser("install", help="add a server to an app", add_help=False)
    # They are read by `install`, as those of the engine's part are not known here.
    verb.add_argument("words", nargs=argparse.REMAINDER)
    verb.set_defaults(verb=install)


# Subcommands


def run(found: argparse.Namespace) -> int:
    """Serve until the client disconnects or a signal arrives.

    Args:
        found: The arguments of the command.
    """
    from ..shared.exceptions import ConnectError

    transport: str | None = found.transport
    given = {name: value for name, value in (("host", found.host), ("port", found.port)) if value is not None}
    if given and transport in (None, "stdio"):
        raise UsageError("--host and --port need --transport http (or sse)")
    instead = f"this command serves it over {transport or 'stdio'}"
    server = import_server(*parse_spec(found.file_spec), f"{instead}; --transport says otherwise")
    if given:
        server.settings.listen_at(transport, given)
    try:
        server.run(*([] if transport is None else [transport]))
    except ConnectError as error:
        raise UsageError(error.message) from None
    return 0


def dev(found: argparse.Namespace) -> int:
    """Start the MCP Inspector with a server.

    Args:
        found: The arguments of the command.
    """
    file, name = parse_spec(found.file_spec)
    server = import_server(file, name, "the Inspector starts it")
    npx = shutil.which("npx")
    if npx is None:
        raise UsageError("npx is not on the PATH: install Node.js, open a new terminal and try again")
    packages = packages_of(found, server)
    command = server_command(found.file_spec, found.with_editable, packages, uv(found, packages))
    return subprocess.run([npx, INSPECTOR, *command]).returncode


def install(found: argparse.Namespace) -> int:
    """Write a server into the settings of an app.

    Args:
        found: The arguments of the command.
    """
    return install_words(found.words)


def show_version(_: argparse.Namespace) -> int:
    """Print the version of this package."""
    from .. import _mcpbolt

    print(f"mcpbolt {_mcpbolt.__version__}")
    return 0


def show_limits(_: argparse.Namespace) -> int:
    """Print the table of limits."""
    from ._limits import LIMITS

    width = min(shutil.get_terminal_size((100, 24)).columns, 120) if os.isatty(1) else 0
    names = max(len(row[0]) for row in LIMITS)
    for name, default, what, beyond in LIMITS:
        print(f"{name:<{names}}  {default:<10}  {_short(what, width - names - 14)}")
        print(f"{'':<{names}}  {'':<10}  beyond: {beyond}")
    return 0


def _short(text: str, width: int) -> str:
    return text if width <= 20 or len(text) <= width else f"{text[: width - 1]}…"
