"""`python -m mcpbolt.cli`: the same as the command `mcpbolt`."""

from . import app

app()
