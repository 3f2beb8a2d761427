"""Running code written for the official package, `mcp` 1.x, without an edit.

`install()` makes `import mcp` and all its submodules mean this package: the same module
objects under both names. From then on the process behaves as the official package does
where that has known defects (error codes, words) and makes no spans of OpenTelemetry;
`fixes=True` keeps the defects mended, and the spans.
What programs look for to learn which release they have is that of 1.x either way: there is no
`mcp.server.mcpserver`, no `ClientSession.discover`, no `Server.get_request_handler`.
`python -m mcpbolt.compat` runs a whole program so.

Stays as it is under either name: hangs, leaks, crashes and security faults of the official
package are mended; peers of 2026-07-28 are served. Over HTTP, what reaches no handler
(unknown methods, malformed bodies, other headers) is refused in the engine's words, every
server says that it sends log messages (`logging`), and a cancelled request gets no answer. A
client session asks nothing before its handshake, and a server nothing of a client that did
not say it can answer: it gets the refusal of one. Broken streams are resumed by the engine,
which neither shows nor takes resumption tokens (`ClientMessageMetadata`). The server's half
of the experimental tasks is not here.

What of the official package's own tests fails, and why: `tests/interop/compat/official-tests-known.txt`.

Owns: whether the name is taken, and the switch. Must not know: what the switch changes.
"""

from __future__ import annotations

import os
import sys
from threading import RLock
from types import ModuleType

from .._switches import switches
from ._finder import OFFICIAL_NAME, OFFICIAL_VERSION, AliasFinder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["OFFICIAL_VERSION", "carry_to_children", "fixes", "install", "installed"]

# What a child process is told by; `_children/sitecustomize.py` reads it there.
VARIABLE = "MCPBOLT_COMPAT"

_lock = RLock()
_alias = AliasFinder()

fixes: bool
"""Whether known defects of the official package stay mended under its name. May be set
at any time, before `install` or after."""


def install(*, fixes: bool | None = None, children: bool = False) -> None:
    """Let `import mcp` mean this package, for the rest of the process.

    May be called again. Nothing is imported yet: a module is when the program asks for it.

    Args:
        fixes: Whether the defects of the official package stay mended; as it was if `None`,
            at first not.
        children: Do the same in Python processes started from here, see `carry_to_children`.

    Raises:
        RuntimeError: The official package, or another module of its name, is imported already.
    """
    with _lock:
        if not installed():
            _refuse_late()
            finders: list[Any] = sys.meta_path
            finders.insert(0, _alias)
            switches.named_as_1 = True
        if fixes is not None:
            _State.fixes = fixes
        switches.official = not _State.fixes
    if children:
        carry_to_children()


def installed() -> bool:
    """Whether `import mcp` means this package."""
    return _alias in sys.meta_path


def carry_to_children() -> None:
    """Let Python processes started from now on do the same, as long as they find this package.

    Sets `MCPBOLT_COMPAT` and `PYTHONPATH` in the environment; servers started with
    `stdio_client` get both, although they get little else. An interpreter that ignores its
    environment (`-I`, `-E`) ignores this too.
    """
    folder = os.path.join(os.path.dirname(__file__), "_children")
    paths = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path and path != folder]
    os.environ["PYTHONPATH"] = os.pathsep.join([folder, *paths])
    os.environ[VARIABLE] = "fixes" if _State.fixes else "1"
    switches.inherited = (VARIABLE, "PYTHONPATH")


def _refuse_late() -> None:
    for name in (OFFICIAL_NAME, *(name for name in sys.modules if name.startswith(f"{OFFICIAL_NAME}."))):
        module = sys.modules.get(name)
        if module is not None:
            where = getattr(module, "__file__", None) or "an unknown place"
            raise RuntimeError(
                f"{name!r} is imported already, from {where}: call mcpbolt.compat.install() before anything "
                "imports it, or start the program with python -m mcpbolt.compat"
            )


class _State:
    fixes = False


class _Module(ModuleType):
    """A module with a property: assigning `fixes` has to reach the switch."""

    @property
    def fixes(self) -> bool:
        return _State.fixes

    @fixes.setter
    def fixes(self, value: bool) -> None:
        with _lock:
            _State.fixes = bool(value)
            if installed():
                switches.official = not _State.fixes


sys.modules[__name__].__class__ = _Module
