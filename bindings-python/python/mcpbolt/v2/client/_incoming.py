"""What a client's message handler is given.

Owns: its type. Must not know: who calls it.
"""

from typing import TypeAlias

from ..types import ServerNotification

IncomingMessage: TypeAlias = ServerNotification | Exception
"""A notification from the server, or what went wrong while one was received."""
