"""Which package the HTTP clients and the authorization of programs are of.

Owns: the choice between `httpx` and `httpx2`. Must not know: what is done with it.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from .._engine import face

if TYPE_CHECKING:
    import httpx as httpx
else:
    # Programs for 2.x use the later one.
    httpx = import_module("httpx2" if face.current.api == 2 and find_spec("httpx2") else "httpx")

__all__ = ["httpx"]
