"""The high-level server of 2.x. Names are imported on first use.

Owns: which names are here. Must not know: what they do.
"""

from importlib import import_module
from typing import Any

# Under the alias, `__name__` is another.
_HERE = __name__
_HOMES = {"MCPServer": ".server", "require_client_extension": "....server.extension"}
_OUTCOMES = ("AcceptedElicitation", "CancelledElicitation", "DeclinedElicitation")


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    home = "....server.elicitation" if name in _OUTCOMES else _HOMES.get(name, "....server.mcpserver")
    value = getattr(import_module(home, _HERE), name)
    globals()[name] = value
    return value
