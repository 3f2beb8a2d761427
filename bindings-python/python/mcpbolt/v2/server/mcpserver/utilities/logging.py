"""Loggers of the high-level server.

Owns: its place in the official package. Must not know: how it works.
"""

from ....._common.logging import configure_logging, get_logger

__all__ = ["configure_logging", "get_logger"]
