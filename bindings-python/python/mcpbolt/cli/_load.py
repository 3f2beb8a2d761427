"""Loading the server object of a Python file."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from .._engine.runner import passing_over

USUAL_NAMES = ("mcp", "server", "app")


class LoadError(Exception):
    """No server could be loaded; the message says why and what to do."""


def split_spec(spec: str) -> tuple[str, str | None]:
    """Split `FILE[:OBJECT]`. The colon after a drive letter does not count."""
    drive, rest = (spec[:2], spec[2:]) if spec[1:2] == ":" else ("", spec)
    head, colon, tail = rest.rpartition(":")
    return (drive + head, tail) if colon else (spec, None)


def absolute(spec: str) -> str:
    """The same with the whole path of the file, for programs that start it from elsewhere."""
    text, name = split_spec(spec)
    path = str(Path(text).expanduser().resolve())
    return path if name is None else f"{path}:{name}"


def parse_spec(spec: str) -> tuple[Path, str | None]:
    """Split `FILE[:OBJECT]` and check the file.

    Raises:
        LoadError: The file does not exist.
    """
    text, name = split_spec(spec)
    file = Path(text).expanduser().resolve()
    if not file.exists():
        raise LoadError(f"there is no file {file}")
    if not file.is_file():
        raise LoadError(f"{file} is not a file")
    return file, name


def import_server(file: Path, name: str | None, instead: str) -> Any:
    """Run the file and return its server. A call of `run()` in it is skipped; `instead` is the
    message that says what the command does in its place.

    Raises:
        LoadError: The file has no such object, or it is not a high-level server.
        ImportError: The file imports something that is not installed.
    """
    with passing_over(f"mcpbolt: run() in {file.name} is passed over: {instead}"):
        module = _import(file)
    if name is None:
        return _usual(module, file)
    home, _, attribute = name.rpartition(":")
    if home:
        try:
            module = importlib.import_module(home)
        except ImportError as error:
            raise LoadError(f"the module {home} cannot be imported: {error}") from error
    found = getattr(module, attribute, None)
    if found is None:
        raise LoadError(f"{file} has no object {name}")
    why = _unfit(found)
    if why:
        raise LoadError(f"{name} {why}")
    return found


def _import(file: Path) -> ModuleType:
    folder = str(file.parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    spec = importlib.util.spec_from_file_location("server_module", file)
    if spec is None or spec.loader is None:
        raise LoadError(f"{file} is no Python file: its name must end in .py")
    module = importlib.util.module_from_spec(spec)
    # Dataclasses and annotations look up their module by name.
    sys.modules["server_module"] = module
    spec.loader.exec_module(module)
    return module


def _usual(module: ModuleType, file: Path) -> Any:
    unfit: list[str] = []
    for name in USUAL_NAMES:
        found = getattr(module, name, None)
        why = _unfit(found) if found is not None else ""
        if found is not None and not why:
            return found
        if why:
            unfit.append(f"{name} {why}")
    reasons = f" ({'; '.join(unfit)})" if unfit else ""
    raise LoadError(
        f"{file} has no server under the names {', '.join(USUAL_NAMES)}{reasons}: "
        "make it a global variable of one of these names, or say FILE:OBJECT"
    )


def _unfit(found: Any) -> str:
    """Why an object is not a server that can be run; empty if it is one."""
    from .._common.server import HighLevelServer
    from ..server.lowlevel import Server

    if isinstance(found, HighLevelServer):
        return ""
    if isinstance(found, Server):
        return "is a low-level server: run it with Server.run() in a program of its own"
    return f"is no FastMCP but {type(found).__module__}.{type(found).__qualname__}"
