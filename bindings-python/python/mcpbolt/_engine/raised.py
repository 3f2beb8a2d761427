"""Exceptions of handlers that a client of the same process is to see.

Owns: which exception a failure on the wire stands for. Must not know: servers and clients.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any
from uuid import uuid4

# A failure's data are this member alone, whose value nobody else can guess.
_MEMBER = "mcpbolt.raised"
# Clients that give up leave exceptions behind.
_MOST = 64

_kept: OrderedDict[str, BaseException] = OrderedDict()


def keep(error: BaseException) -> dict[str, str]:
    """Keep an exception; returns the data of the failure that stands for it."""
    name = uuid4().hex
    _kept[name] = error
    while len(_kept) > _MOST:
        _kept.popitem(last=False)
    return {_MEMBER: name}


def taken(data: Any) -> BaseException | None:
    """The exception that a failure with these data stands for; `None` for failures of others.
    Given out once.
    """
    name = data.get(_MEMBER) if isinstance(data, dict) else None  # pyright: ignore
    return _kept.pop(name, None) if isinstance(name, str) else None
