"""Which request of a server the running code answers.

Owns: a context variable. A model that a server asked may call a tool, whose server asks a
model, and so on. Requests of a client name the request that they are made for, so that the
engine can limit the depth (`max_nested_sampling`).
"""

from contextvars import ContextVar

SERVED: ContextVar[int | None] = ContextVar("mcpbolt_served", default=None)
