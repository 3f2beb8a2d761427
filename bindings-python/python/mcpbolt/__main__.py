"""`python -m mcpbolt`: the command `mcpbolt`."""

from .cli import app

app()
