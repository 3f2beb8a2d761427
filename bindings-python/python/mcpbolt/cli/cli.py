"""The command's arguments, and what each of its subcommands does.

Owns: names, help and exit codes. Must not know: how a server is found in a file, or where
hosts keep their configuration.
"""

from __future__ import annotations

import argparse
import logging
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from ._command import not_installed, server_command
from ._load import LoadError, import_server, parse_spec

INSPECTOR = "@modelcontextprotocol/inspector"
TRANSPORTS = ("stdio", "sse", "streamable-http", "http")

_EPILOG = """\
A server is FILE or FILE:OBJECT. Without OBJECT it is the first of mcp, server and app that
the file has.
"""


class UsageError(Exception):
    """The arguments of the command are not valid; the message says what to do."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command with these arguments, or with those of the process; returns the exit code.

    Args:
        arguments: The arguments of the command. Default: those of the process.
    """
    parser = make_parser()
    found = parser.parse_args(arguments)
    if found.verb is None:
        parser.print_help()
        return 2
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
        description="Runs, shows and installs servers of the Model Context Protocol.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="store_const", dest="verb", const=show_version, help="print the version")
    parser.set_defaults(verb=None)
    verbs = parser.add_subparsers(title="commands", metavar="COMMAND")
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


def _add_packages(verb: Any) -> None:
    verb.add_argument(
        "-e", "--with-editable", type=_folder, metavar="FOLDER", help="folder of a project to install as editable"
    )
    verb.add_argument(
        "--with", dest="with_packages", action="append", default=[], metavar="PACKAGE", help="package to install too"
    )


def _add_dev(verbs: Any) -> None:
    verb = _add_server(verbs, "dev", "run a server with the MCP Inspector, which needs Node and npx")
    _add_packages(verb)
    verb.set_defaults(verb=dev)


def _add_install(verbs: Any) -> None:
    verb = _add_server(verbs, "install", "install a server in the Claude desktop app")
    verb.add_argument("-n", "--name", dest="server_name", help="its name there; the server's own by default")
    _add_packages(verb)
    verb.add_argument(
        "-v", "--env-var", dest="env_vars", action="append", default=[], metavar="KEY=VALUE",
        help="variable of its environment; what is there already stays",
    )
    verb.add_argument("-f", "--env-file", type=_file, metavar="FILE", help="file of such variables (.env)")
    verb.set_defaults(verb=install)


def _folder(text: str) -> Path:
    path = Path(text).expanduser().resolve()
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder {text}")
    return path


def _file(text: str) -> Path:
    path = Path(text).expanduser().resolve()
    if not path.is_file():
        raise argparse.ArgumentTypeError(f"there is no file {text}")
    return path


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
    packages = _packages(found, server)
    command = server_command(found.file_spec, found.with_editable, packages, _uv(found, packages))
    return subprocess.run([npx, INSPECTOR, *command]).returncode


def _packages(found: argparse.Namespace, server: Any) -> list[str]:
    """The packages to add to this environment."""
    return [*found.with_packages, *not_installed(getattr(server, "dependencies", []))]


def _uv(found: argparse.Namespace, packages: list[str]) -> str:
    """The absolute path of uv, since other programs start it without the user's PATH."""
    uv = shutil.which("uv")
    if uv is None and (packages or found.with_editable is not None):
        wanted = [*packages, *(["-e", str(found.with_editable)] if found.with_editable is not None else [])]
        raise UsageError(
            "--with, --with-editable and dependencies that are not installed need uv (https://docs.astral.sh/uv); "
            f"or install them here: {sys.executable} -m pip install {' '.join(wanted)}"
        )
    return uv or "uv"


def install(found: argparse.Namespace) -> int:
    """Write a server into the configuration of the Claude desktop app.

    Args:
        found: The arguments of the command.
    """
    from . import claude

    file, object_name = parse_spec(found.file_spec)
    server: Any = None
    name: str | None = found.server_name
    if not name:
        try:
            server = import_server(file, object_name, "the app starts it")
            name = server.name
        except ImportError as error:
            name = file.stem
            print(f"mcpbolt: {file.name} cannot be imported yet: {error}", file=sys.stderr)
    if claude.get_claude_config_path() is None:
        raise UsageError("the Claude desktop app is not installed here, or has never been started")
    packages = _packages(found, server)
    _uv(found, packages)
    env = _environment(found.env_file, found.env_vars)
    done = claude.update_claude_config(
        found.file_spec,
        str(name),
        with_editable=found.with_editable,
        with_packages=packages,
        env_vars=env,
    )
    if not done:
        return 1
    print(f"{name} is installed in the Claude desktop app", file=sys.stderr)
    return 0


def _environment(file: Path | None, rows: list[str]) -> dict[str, str] | None:
    if file is None and not rows:
        return None
    found: dict[str, str] = {}
    if file is not None:
        try:
            from dotenv import dotenv_values
        except ImportError:
            raise UsageError("--env-file needs the package python-dotenv: pip install python-dotenv") from None
        found.update({name: value for name, value in dotenv_values(file).items() if value is not None})
    for row in rows:
        name, equals, value = row.partition("=")
        if not equals:
            raise UsageError(f"--env-var {row}: it must be KEY=VALUE")
        found[name.strip()] = value.strip()
    return found


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
