"""The configuration of the Claude desktop app.

Owns: where its file is, and one entry in it; everything else in the file is left unchanged.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import sys
from pathlib import Path
from typing import Any, cast

from ._command import server_command
from ._load import absolute

__all__ = ["get_claude_config_path", "get_uv_path", "update_claude_config"]

logger: logging.Logger = logging.getLogger("mcp.cli.claude")

CONFIG_FILE = "claude_desktop_config.json"


def get_claude_config_path() -> Path | None:
    """The folder of the app's configuration; `None` if the app is not installed."""
    if sys.platform == "win32":
        path = Path.home() / "AppData" / "Roaming" / "Claude"
    elif sys.platform == "darwin":
        path = Path.home() / "Library" / "Application Support" / "Claude"
    elif sys.platform.startswith("linux"):
        path = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "Claude"
    else:
        return None
    return path if path.exists() else None


def get_uv_path() -> str:
    """The absolute path of uv, since the app starts programs without the user's PATH; `uv` if
    it was not found.
    """
    return shutil.which("uv") or "uv"


def update_claude_config(
    file_spec: str,
    server_name: str,
    *,
    with_editable: Path | None = None,
    with_packages: list[str] | None = None,
    env_vars: dict[str, str] | None = None,
) -> bool:
    """Add a server to the app's configuration, or change the one of that name.

    Environment variables in the entry are kept unless `env_vars` gives them another value. The
    server runs on this interpreter; uv adds packages and an editable project.

    Args:
        file_spec: The file of the server, and the object in it.
        server_name: The name of the server in the configuration.
        with_editable: A folder to install as editable. Default: none.
        with_packages: Packages to install. Default: none.
        env_vars: Environment variables for the server. Default: none.

    Returns:
        Whether the file was written. If not, the reason is logged and the file is unchanged.

    Raises:
        RuntimeError: The app has no folder for its configuration.
    """
    folder = get_claude_config_path()
    if folder is None:
        raise RuntimeError("the Claude desktop app has no folder here: install it and start it once")
    file = folder / CONFIG_FILE
    try:
        config = _read(file)
        servers: Any = config.setdefault("mcpServers", {})
        before: Any = servers.get(server_name, {})
        env = {**before.get("env", {}), **(env_vars or {})}
        command = server_command(absolute(file_spec), with_editable, with_packages or [], get_uv_path())
        entry: dict[str, Any] = {"command": command[0], "args": command[1:]}
        if env:
            entry["env"] = env
        servers[server_name] = entry
        _write(file, json.dumps(config, indent=2, ensure_ascii=False) + "\n")
    except (OSError, ValueError, AttributeError) as error:
        logger.error("%s cannot be changed: %s", file, error)
        return False
    return True


def _read(file: Path) -> dict[str, Any]:
    if not file.exists():
        return {}
    found = json.loads(file.read_text(encoding="utf-8") or "{}")
    if not isinstance(found, dict):
        raise ValueError("it does not hold an object")
    return cast("dict[str, Any]", found)


def _write(file: Path, text: str) -> None:
    # Renaming makes sure that the file is never missing or half written.
    new = file.with_suffix(".new")
    new.write_text(text, encoding="utf-8")
    os.replace(new, file)
