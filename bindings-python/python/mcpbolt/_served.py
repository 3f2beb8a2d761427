"""Which request of a server the running code answers.

Owns: a context variable. A model that a server asked may call a tool, whose server asks a
model, and so on: what a client asks on the way says what it is asked for, and the engine
counts (`max_nested_sampling`).
"""

from contextvars import ContextVar

SERVED: ContextVar[int | None] = ContextVar("mcpbolt_served", default=None)
