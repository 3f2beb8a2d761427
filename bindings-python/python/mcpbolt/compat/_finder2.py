"""The names of the official packages 2.x as importers: `mcp` is `mcpbolt.v2`, and what that
does not have is where 1.x has it; `mcp_types` is `mcpbolt.v2.types`.

Owns: what the import system and `importlib.metadata` get for these names. Must not know: what
the modules do.
"""

from __future__ import annotations

from contextlib import suppress
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import cast

from ._finder import AliasFinder, AliasLoader, spec_of
from ._release import OFFICIAL_NAME, TYPES_NAME, VERSION_2

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from importlib.metadata import Distribution
    from typing import Any

_OWN = __name__.partition(".")[0]
_V2 = f"{_OWN}.v2"
# Modules that only 1.x has.
_OF_1 = (
    "mcp.client.experimental",
    "mcp.client.websocket",
    "mcp.server.experimental",
    "mcp.server.websocket",
    "mcp.shared.experimental",
    "mcp.shared.progress",
    "mcp.shared.response_router",
    "mcp.shared.session",
    "mcp.shared.version",
)
_RENAMED = "mcp.server.fastmcp"


def _is_below(name: str, top: str) -> bool:
    return name == top or name.startswith(f"{top}.")


def is_of_1(official: str) -> bool:
    """Whether only official 1.x has a module."""
    return any(_is_below(official, name) for name in (*_OF_1, _RENAMED))


def real_spec(fullname: str) -> ModuleSpec | None:
    """The module of this package that stands for one of the official packages."""
    if _is_below(fullname, TYPES_NAME):
        return find_spec(f"{_V2}.types{fullname[len(TYPES_NAME) :]}")
    rest = fullname[len(OFFICIAL_NAME) :]
    for home in (_V2, _OWN):
        try:
            found = find_spec(home + rest)
        except ModuleNotFoundError:
            continue
        if found is not None:
            return found
    return None


def official_name(home: str) -> str | None:
    """The official name of a module of this package; `None` for private ones."""
    if _is_below(home, f"{_V2}.types"):
        return TYPES_NAME + home[len(f"{_V2}.types") :]
    if _is_below(home, _V2):
        home = _OWN + home[len(_V2) :]
    if not _is_below(home, _OWN) or home.startswith((f"{_OWN}._", f"{_OWN}.compat")):
        return None
    return OFFICIAL_NAME + home[len(_OWN) :]


_MEMBERS = vars(ModuleType)["__dict__"]


class _Whole(ModuleType):
    """A module whose names are imported on first use. Programs that look them up in its `vars`
    find all of them, as in the official package, where they are imported at once.
    """

    @property
    def __dict__(self) -> dict[str, Any]:  # type: ignore[override]
        members: dict[str, Any] = _MEMBERS.__get__(self)
        # Models that are defined meanwhile look into the `vars` of their module, and must find what
        # is there so far; and once all names are there, it is a module like others.
        cast("Any", self).__class__ = ModuleType
        missing = [name for name in members.get("__all__", ()) if name not in members]
        try:
            for name in missing:
                # An error from a property would be taken for "no such attribute".
                with suppress(ImportError, AttributeError):
                    members[name] = getattr(self, name)
        finally:
            if any(name not in members for name in missing):
                cast("Any", self).__class__ = _Whole
        return members


class AliasLoader2(AliasLoader):
    """Returns a module that is imported already under another name."""

    def exec_module(self, module: ModuleType) -> None:
        """Restore the module's own spec. The module has run already."""
        from ._reexports import lend
        from ._reexports2 import FOREIGN_2

        module.__spec__ = self._before
        for value in list(vars(module).values()):
            home = official_name(value.__module__) if isinstance(value, type) else None
            if home is not None:
                value.__module__ = home
        module.__name__ = self._official
        is_lazy = type(module) is ModuleType and "__getattr__" in vars(module)
        lend(module, FOREIGN_2, package=OFFICIAL_NAME)
        # Last, because whoever looks at its `vars` has everything imported.
        if is_lazy:
            module.__class__ = _Whole


class AliasFinder2(AliasFinder):
    """Finds the official packages' modules in this package, and their distributions."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of a module under its official name; `None` for names outside the packages.

        Raises:
            ModuleNotFoundError: The official release has no such module.
        """
        if not _is_below(fullname, OFFICIAL_NAME) and not _is_below(fullname, TYPES_NAME):
            return None
        if _is_below(fullname, _RENAMED):
            error = ModuleNotFoundError(
                f"No module named {_RENAMED!r}. This is mcp 2.x, where FastMCP was renamed to MCPServer "
                "(from mcp.server.mcpserver import MCPServer) and other APIs changed; see the migration guide at "
                "https://py.sdk.modelcontextprotocol.io/v2/migration/#fastmcp-renamed-to-mcpserver "
                "or pin 'mcp<2' to keep running v1 code.",
                name=fullname,
            )
            # Python 3.10 has no notes.
            note = getattr(error, "add_note", None)
            if note is not None:
                note("With mcpbolt, programs for 1.x run by: python -m mcpbolt.compat --api 1")
            raise error
        if any(_is_below(fullname, name) for name in _OF_1):
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)
        real = real_spec(fullname)
        if real is None:
            return None
        return spec_of(real, fullname, AliasLoader2(real, fullname))

    def find_distributions(self, context: Any = None) -> Iterable[Distribution]:
        """The distributions from which programs read the version."""
        from ._distribution import OfficialDistribution

        name = getattr(context, "name", None)
        wanted = None if name is None else name.replace("_", "-").lower()
        names = (OFFICIAL_NAME, TYPES_NAME.replace("_", "-"))
        return tuple(OfficialDistribution(one, VERSION_2) for one in names if wanted in (None, one))
