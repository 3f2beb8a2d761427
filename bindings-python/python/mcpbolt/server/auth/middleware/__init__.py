"""ASGI middleware that reads and requires bearer tokens, and the authentication of clients."""
