"""What a program's own transport attaches to a message."""

from __future__ import annotations

import contextvars
from dataclasses import dataclass

from ..shared.message import ServerMessageMetadata


@dataclass
class Carried(ServerMessageMetadata):
    """The context variables of the HTTP request that brought a message apply to its handler."""

    context: contextvars.Context | None = None
