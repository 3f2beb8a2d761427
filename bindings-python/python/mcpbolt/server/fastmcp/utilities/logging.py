"""Logging of the high-level server."""

from ...._common.logging import configure_logging, get_logger

__all__ = ["configure_logging", "get_logger"]
