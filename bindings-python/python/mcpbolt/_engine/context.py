"""Which request the running code answers.

Owns: the variable that says so. Must not know: what a request looks like to a handler.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

# Named as programs know it.
request_ctx: ContextVar[Any] = ContextVar("request_ctx")
"""The context of the request that the running handler answers."""
