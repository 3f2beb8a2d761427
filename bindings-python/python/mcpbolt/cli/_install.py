"""`install` for servers in Python files: a command that starts them, for the settings of an app.

Owns: options about packages and variables, and which of the words is such a server. Must not
know: apps and their files, which the engine's part of the command changes.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from . import _native, claude
from ._command import not_installed, server_command
from ._load import LoadError, absolute, import_server, parse_spec

APPS = ("claude", "vscode", "cursor", "windsurf", "zed")
_PYTHON_FILE = re.compile(r"[^-].*\.py(:[\w.:]+)?", re.DOTALL)


class UsageError(Exception):
    """The arguments make no sense; the message says what to do."""


def install(words: list[str]) -> int:
    """Install a server with these words, those after `install`; returns the exit code.

    `install FILE[:OBJECT]` is what the official package has: the Claude desktop app, and 1 for
    whatever fails.
    """
    end = words.index("--") if "--" in words else len(words)
    found, rest = _parser().parse_known_args(words[:end])
    places = [at for at, word in enumerate(rest) if _PYTHON_FILE.fullmatch(word) and "://" not in word]
    # A command after the dashes is the server.
    spec = rest.pop(places[0]) if places and end == len(words) else None
    as_official = spec is not None and not any(word in APPS for word in rest[: places[0]])
    try:
        code = _native.run(["install", *_words(found, rest, spec, as_official), *words[end:]])
    except (LoadError, UsageError) as error:
        code = 2
        _tell(str(error), "--json" in rest)
    return 1 if as_official and 0 < code < 128 else code


def _tell(why: str, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"error": {"kind": "usage", "message": why, "exitCode": 2}}))
    else:
        print(f"mcpbolt: {why}", file=sys.stderr)


def _parser() -> argparse.ArgumentParser:
    """What the engine's part does not know, and what both need. The help is the engine's."""
    parser = argparse.ArgumentParser(prog="mcpbolt install", add_help=False, allow_abbrev=False)
    parser.add_argument("-n", "--name", dest="server_name")
    add_packages(parser)
    parser.add_argument("-v", "--env-var", "--env", dest="env_vars", action="append", default=[])
    parser.add_argument("-f", "--env-file", type=_file)
    return parser


def add_packages(parser: Any) -> None:
    """Add the options about packages."""
    parser.add_argument(
        "-e", "--with-editable", type=_folder, metavar="FOLDER", help="folder of a project to install as editable"
    )
    parser.add_argument(
        "--with", dest="with_packages", action="append", default=[], metavar="PACKAGE", help="package to install too"
    )


def _words(found: argparse.Namespace, rest: list[str], spec: str | None, as_official: bool) -> list[str]:
    """The words for the engine's part."""
    wants_packages = found.with_packages or found.with_editable is not None
    if spec is None and wants_packages:
        raise UsageError("--with and --with-editable are for servers in Python files")
    name: str | None = found.server_name
    command: list[str] = []
    if spec is not None:
        file, named = parse_spec(spec)
        if as_official or wants_packages or named:
            name, command = _started(found, spec)
        else:
            # A program like any other: only running it shows what it is written with.
            rest = [*rest, str(file)]
    if as_official:
        if claude.get_claude_config_path() is None and "--file" not in rest:
            raise UsageError("the Claude desktop app is not installed here, or has never been started")
        rest = ["claude", *rest]
    named_so = [] if name is None else ["--name", name]
    env = [f"--env={key}={value}" for key, value in _environment(found.env_file, found.env_vars).items()]
    return [*rest, *named_so, *env, *(["--", *command] if command else [])]


def _started(found: argparse.Namespace, spec: str) -> tuple[str, list[str]]:
    """The name of the server in a file, and the command that starts it."""
    file, object_name = parse_spec(spec)
    server: Any = None
    name: str | None = found.server_name
    if not name:
        try:
            server = import_server(file, object_name, "the app starts it")
            name = str(server.name)
        except ImportError as error:
            name = file.stem
            print(f"mcpbolt: {file.name} cannot be imported yet: {error}", file=sys.stderr)
    packages = packages_of(found, server)
    return name, server_command(absolute(spec), found.with_editable, packages, uv(found, packages))


def packages_of(found: argparse.Namespace, server: Any) -> list[str]:
    """The packages to add to this environment."""
    return [*found.with_packages, *not_installed(getattr(server, "dependencies", []))]


def uv(found: argparse.Namespace, packages: Iterable[str]) -> str:
    """The absolute path of uv, since other programs start it without the user's PATH."""
    there = shutil.which("uv")
    if there is None and (packages or found.with_editable is not None):
        wanted = [*packages, *(["-e", str(found.with_editable)] if found.with_editable is not None else [])]
        raise UsageError(
            "--with, --with-editable and dependencies that are not installed need uv (https://docs.astral.sh/uv); "
            f"or install them here: {sys.executable} -m pip install {' '.join(wanted)}"
        )
    return there or "uv"


def _environment(file: Path | None, rows: list[str]) -> dict[str, str]:
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
