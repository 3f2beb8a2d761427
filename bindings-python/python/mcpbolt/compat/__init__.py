"""Running code written for the official package, `mcp` 1.x, without changing it.

`install()` makes `import mcp` and all its submodules mean this package: the same module
objects under both names. From then on the process behaves like the official package even where
that has known defects (error codes, messages), and makes no OpenTelemetry spans. With
`fixes=True` it keeps the fixes and the spans.

In either case the names by which programs detect the release are those of 1.x: there is no
`mcp.server.mcpserver`, no `ClientSession.discover` and no `Server.get_request_handler`.
`python -m mcpbolt.compat` runs a whole program in this way.

Servers and clients of such a process are made with the engine's norm `python-1`, so that
refusals over HTTP have the official statuses, headers and texts, requests are numbered from 0,
and every report of progress and log message is sent. A session may send requests before its
handshake, and HTTP requests of clients go through `httpx`, as programs replace parts of it.

Some differences stay under either name. Hangs, leaks, crashes and security faults of the
official package are fixed. Peers of 2026-07-28 are served. A server without sessions answers
GET with 405, where the official one opens a stream that nothing is ever sent on. A server does
not send a client requests that it did not declare support for; the handler gets an error
instead. Private parts of the official package are other ones here.

The tests of the official package that fail are listed, with reasons, in
`tests/interop/compat/official-tests-known.txt`.

Owns: whether the official name is taken, and the face that goes with it. Must not know: what
the face decides.
"""

from __future__ import annotations

import os
import sys
from threading import RLock
from types import ModuleType

from .._engine import face
from ._faces import FixedFace, OfficialFace
from ._finder import AliasFinder
from ._release import OFFICIAL_NAME, OFFICIAL_VERSION, TYPES_NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["OFFICIAL_VERSION", "carry_to_children", "fixes", "install", "installed"]

# The environment variable that `_children/sitecustomize.py` reads in child processes.
VARIABLE = "MCPBOLT_COMPAT"

_lock = RLock()
_alias = AliasFinder()

fixes: bool
"""Whether known defects of the official package are fixed under its name too. May be set at
any time, before `install` or after it.
"""


def install(*, api: int | None = None, fixes: bool | None = None, children: bool = False) -> None:
    """Make `import mcp` mean this package for the rest of the process.

    May be called again. Nothing is imported until the program imports it.

    Args:
        api: The line of the official package: 1, or 2 for `mcp` and `mcp_types` 2.x. `None` leaves
            it as it is; initially it is 1.
        fixes: Whether known defects of the official package are fixed too. `None` leaves the
            setting as it is; initially they are not.
        children: Whether to do the same in Python processes started from here, see
            `carry_to_children`.

    Raises:
        RuntimeError: The official package, or another module of its name, is imported already,
            or the name means its other line.
        ValueError: There is no such line.
    """
    with _lock:
        if api is not None and api not in (1, 2):
            raise ValueError(f"api is 1 or 2, not {api!r}")
        if not installed():
            _State.api = api or _State.api
            _refuse_late()
            finders: list[Any] = sys.meta_path
            finders.insert(0, _finder())
        elif api not in (None, _State.api):
            raise RuntimeError(f"the official name means {_State.api}.x in this process already")
        if fixes is not None:
            _State.fixes = fixes
        _choose()
    if children:
        carry_to_children()


def installed() -> bool:
    """Whether `import mcp` means this package."""
    return any(finder is _State.finder for finder in sys.meta_path)


def carry_to_children() -> None:
    """Make Python processes started from now on do the same, if they can import this package.

    Sets `MCPBOLT_COMPAT` and `PYTHONPATH` in the environment. Servers started with
    `stdio_client` get both, although they inherit few other variables. Interpreters that
    ignore the environment (`-I`, `-E`) are not affected.
    """
    folder = os.path.join(os.path.dirname(__file__), "_children")
    paths = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path and path != folder]
    os.environ["PYTHONPATH"] = os.pathsep.join([folder, *paths])
    os.environ[VARIABLE] = "2" if _State.api == 2 else "fixes" if _State.fixes else "1"
    face.inherit((VARIABLE, "PYTHONPATH"))


def _finder() -> Any:
    if _State.api == 1:
        _State.finder = _alias
    else:
        from ._finder2 import AliasFinder2

        _State.finder = AliasFinder2()
    return _State.finder


def _refuse_late() -> None:
    if _State.api == 2 and "mcpbolt._types.base" in sys.modules:
        raise RuntimeError(
            "the models of 1.x are in use already: call mcpbolt.compat.install(api=2) before anything uses mcpbolt, "
            "or start the program with python -m mcpbolt.compat --api 2"
        )
    tops = (OFFICIAL_NAME,) if _State.api == 1 else (OFFICIAL_NAME, TYPES_NAME)
    for name in (*tops, *(name for name in sys.modules if name.startswith(tuple(f"{top}." for top in tops)))):
        module = sys.modules.get(name)
        if module is not None:
            where = getattr(module, "__file__", None) or "an unknown place"
            raise RuntimeError(
                f"{name!r} is imported already, from {where}: call mcpbolt.compat.install() before anything "
                "imports it, or start the program with python -m mcpbolt.compat"
            )


class _State:
    api = 1
    fixes = False
    finder: Any = None


def _choose() -> None:
    if _State.api == 2:
        from ._faces2 import OfficialFace2

        face.use(OfficialFace2())
        return
    face.use(FixedFace() if _State.fixes else OfficialFace())


class _Module(ModuleType):
    """A module with a property, so that assigning `fixes` changes the face."""

    @property
    def fixes(self) -> bool:
        return _State.fixes

    @fixes.setter
    def fixes(self, value: bool) -> None:
        with _lock:
            _State.fixes = bool(value)
            if installed():
                _choose()


sys.modules[__name__].__class__ = _Module
