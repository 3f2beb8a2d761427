"""The command that runs a server, for programs that start it.

Owns: which interpreter runs it. This one: the package is here, and need not be published
anywhere. What a server needs beside that is laid over this environment by uv.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path


def server_command(file_spec: str, with_editable: Path | None, packages: Iterable[str], uv: str) -> list[str]:
    """Program and arguments. `uv` is only used where packages are asked for."""
    own = ["-m", "mcpbolt", "run", file_spec]
    packages = sorted({package for package in packages if package})
    if not packages and with_editable is None:
        return [sys.executable, *own]
    command = [uv, "run", "--no-project", "--python", sys.executable]
    for package in packages:
        command += ["--with", package]
    if with_editable is not None:
        command += ["--with-editable", str(with_editable)]
    return [*command, "python", *own]


def not_installed(packages: Iterable[str]) -> list[str]:
    """Those of some requirements that this environment has not at all."""
    from importlib.metadata import PackageNotFoundError, distribution

    missing: list[str] = []
    for package in packages:
        name = re.match(r"[\w.-]+", package)
        try:
            distribution(name[0] if name else package)
        except (PackageNotFoundError, ValueError):
            missing.append(package)
    return missing
