"""`python -m mcpbolt`: the same as the command `mcpbolt`."""

from .cli import app

app()
