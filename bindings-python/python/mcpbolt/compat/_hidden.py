"""What modules of this package list and hide while they stand in for those of official 1.30.

Owns: which names those are. Programs for both lines of the official package look for names of 2.x
to learn which they have, and `from mcp import *` fails if a listed name cannot be had.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

_OWN_NAME = __name__.partition(".")[0]
_MARK = "_hides_names_of_2"

# Per module: what official 1.30 does not list. The first are names of 2.x, which are hidden; the
# others are this package's own, and programs that use both packages' names may go on using them.
_UNLISTED = {
    "": (
        "Client InvalidUriTemplate MCPDeprecationWarning MCPError MCPServer UriTemplate",
        "Context FastMCP Host HostTool Image SyncClient client server shared types",
    ),
    "server": ("CacheHint MCPServer ServerRequestContext mcpserver", ""),
}
# 1.30 lists nothing for these; `import *` gives the modules that `import mcp` has loaded.
_MODULES = {"client": "experimental session session_group sse stdio streamable_http"}


def hide_names_of_2(module: ModuleType) -> None:
    """Make a module list the names that it has in official 1.30, and miss those of 2.x.

    Args:
        module: The module, under its own name.
    """
    name = module.__name__[len(_OWN_NAME) + 1 :]
    members = vars(module)
    if name in _MODULES:
        members["__all__"] = _MODULES[name].split()
    if name not in _UNLISTED or _MARK in members:
        return
    hidden, own = (frozenset(names.split()) for names in _UNLISTED[name])
    before: Any = members["__getattr__"]

    def found(wanted: str) -> Any:
        if wanted in hidden:
            raise AttributeError(f"module {module.__name__!r} has no attribute {wanted!r}")
        return before(wanted)

    for gone in hidden & set(members):
        del members[gone]
    listed = [one for one in members["__all__"] if one not in hidden and one not in own]
    members.update({"__all__": listed, "__getattr__": found, _MARK: True})
