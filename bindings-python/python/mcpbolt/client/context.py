"""The context of a client's callback: the request it answers, under the name it has in 2.x."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypeAlias

from ..shared.context import RequestContext
from .session import ClientSession

__all__ = ["ClientRequestContext"]

ClientRequestContext: TypeAlias = RequestContext[ClientSession, Any]
"""The request, and the session it came on."""
