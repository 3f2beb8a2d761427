"""The package that the HTTP clients and the authorization of programs are of, as a module.

Owns: its name here, for classes that derive from its own. Must not know: which package it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..shared._httpx_utils import http_library

if TYPE_CHECKING:
    import httpx as httpx
else:
    httpx = http_library()

__all__ = ["httpx"]
