"""The context of a client's callback, under its name of 2.x."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypeAlias

from ..shared.context import RequestContext
from .session import ClientSession

__all__ = ["ClientRequestContext"]

ClientRequestContext: TypeAlias = RequestContext[ClientSession, Any]
"""The context of a callback: the request of the server that it answers, and the session."""
