"""The command line with which other programs start a server.

Owns: which interpreter runs it: this one, as the package is installed here and need not be
published anywhere. Further packages that a server needs are added by uv.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path

from .._engine import face


def server_command(file_spec: str, with_editable: Path | None, packages: Iterable[str], uv: str) -> list[str]:
    """Program and arguments. `uv` is used only if packages are given, or the face wants it."""
    own = ["-m", "mcpbolt", "run", file_spec]
    packages = sorted({package for package in packages if package})
    if not packages and with_editable is None and not face.current.starts_with_uv:
        return [sys.executable, *own]
    command = [uv, "run", "--no-project", "--python", sys.executable]
    for package in packages:
        command += ["--with", package]
    if with_editable is not None:
        command += ["--with-editable", str(with_editable)]
    return [*command, "python", *own]


def not_installed(packages: Iterable[str]) -> list[str]:
    """The requirements of which no version is installed in this environment."""
    from importlib.metadata import PackageNotFoundError, distribution

    missing: list[str] = []
    for package in packages:
        name = re.match(r"[\w.-]+", package)
        try:
            distribution(name[0] if name else package)
        except (PackageNotFoundError, ValueError):
            missing.append(package)
    return missing
