"""The middleware that makes a span for each message, where programs for 2.x look for it.

Owns: its name and place. Must not know: which spans there are; the engine room makes them.
"""

from __future__ import annotations

from typing import Any

from ...server.context import CallNext, HandlerResult, ServerRequestContext

__all__ = ["OpenTelemetryMiddleware"]


class OpenTelemetryMiddleware:
    """Stands in `Server.middleware` for the spans of requests. A server that has it makes them; one
    from which a program removes it does not.
    """

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """Answer the message: its span is made around all middleware."""
        return await call_next(ctx)
