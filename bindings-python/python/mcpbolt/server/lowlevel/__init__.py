"""The low-level server."""

from .server import NotificationOptions, Server

__all__ = ["NotificationOptions", "Server"]
