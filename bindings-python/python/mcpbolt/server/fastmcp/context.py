"""What a tool, resource or prompt function can do with the request it answers."""

from .server import Context

__all__ = ["Context"]
