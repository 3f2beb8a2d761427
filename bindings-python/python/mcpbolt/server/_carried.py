"""What a transport of a program's own puts beside a message."""

from __future__ import annotations

import contextvars
from dataclasses import dataclass

from ..shared.message import ServerMessageMetadata


@dataclass
class Carried(ServerMessageMetadata):
    """The variables of the request that brought a message hold for what it causes."""

    context: contextvars.Context | None = None
