"""ASGI middleware that reads bearer tokens, demands them, and proves clients."""
