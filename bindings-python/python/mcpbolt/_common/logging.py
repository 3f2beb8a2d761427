"""Logging of high-level servers.

Owns: sending log messages to stderr for a program that asks for it. Must not know: what JSON
lines hold.
"""

from __future__ import annotations

import logging
from typing import Any, Literal, cast

from .._naming import found_in
from ..shared.exceptions import UsageError

LogFormat = Literal["text", "json"]
"""How log messages are written."""


@found_in("server.fastmcp.utilities.logging")
def get_logger(name: str) -> logging.Logger:
    """Get a logger under the name that the official package gives it.

    Args:
        name: The name.
    """
    return logging.getLogger(name)


@found_in("server.fastmcp.utilities.logging")
def configure_logging(level: Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"] = "INFO") -> None:
    """Send log messages to stderr, unless the program has configured logging already.

    Called only when a program asks for a level: importing the package or making a server does
    not change logging.

    Args:
        level: The lowest level that is written. Default: `INFO`.
    """
    try:
        from rich.console import Console  # pyright: ignore
        from rich.logging import RichHandler  # pyright: ignore
    except ImportError:
        handler: logging.Handler = logging.StreamHandler()
    else:
        handler = cast("Any", RichHandler)(console=cast("Any", Console)(stderr=True), rich_tracebacks=True)
    logging.basicConfig(level=level, format="%(message)s", handlers=[handler])


def begin_logging(level: Any, log_format: LogFormat | None) -> LogFormat | None:
    """Do what a server was told about log messages, nothing if it was told nothing, and return
    the format.
    """
    if log_format not in (None, "text", "json"):
        raise UsageError(f"log_format must be 'text' or 'json', not {log_format!r}")
    if log_format == "json":
        from .json_logs import JsonLines

        handler = logging.StreamHandler()
        handler.setFormatter(JsonLines())
        logging.basicConfig(level=level or "INFO", handlers=[handler])
    elif level is not None or log_format is not None:
        configure_logging(level or "INFO")
    return log_format
