"""Logging of high-level servers.

Owns: sending log messages to stderr for a program that asks for it.
"""

from __future__ import annotations

import logging
from typing import Any, Literal, cast

from .._naming import found_in


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
