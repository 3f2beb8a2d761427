"""`python -m mcpbolt.cli`."""

from . import app

app()
