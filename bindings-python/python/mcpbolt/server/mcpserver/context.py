"""What a function of a server of the 2.x kind can do with the request it answers."""

from .server import Context

__all__ = ["Context"]
