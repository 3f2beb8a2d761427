"""The low-level server of 2.x.

Owns: which names are here. Must not know: what they do.
"""

from .server import NotificationOptions, Server

__all__ = ["NotificationOptions", "Server"]
