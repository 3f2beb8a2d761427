"""The official package's name, as an importer: `mcp.x` is the module `mcpbolt.x`.

Owns: what the import system and `importlib.metadata` are told about the name.
"""

from __future__ import annotations

from importlib.machinery import ModuleSpec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from importlib.metadata import Distribution
    from types import CodeType, ModuleType
    from typing import Any

OFFICIAL_NAME = "mcp"
# The release whose behaviour holds under its name.
OFFICIAL_VERSION = "1.30.0"

# What is here for programs of 2.x. Others import it to find out which release they have.
_OF_2 = frozenset({"mcp.server.mcpserver"})

_OWN_NAME = __name__.partition(".")[0]


def own_name(fullname: str) -> str:
    """The name here of what the official package calls `fullname`."""
    return _OWN_NAME + fullname[len(OFFICIAL_NAME) :]


def _is_named(home: str) -> bool:
    """Whether the official package has a module where a class is at home."""
    return home.startswith(f"{_OWN_NAME}.") and not home.startswith((f"{_OWN_NAME}._", f"{_OWN_NAME}.compat"))


class AliasSpec(ModuleSpec):
    """A spec whose parent is the module's own: relative imports go by that."""

    real_parent: str | None = None

    @property
    def parent(self) -> str | None:
        """The package the module lies in, under its own name."""
        return self.real_parent


class AliasLoader:
    """Hands out a module that has another name already."""

    def __init__(self, real: ModuleSpec, official: str) -> None:
        self._real = real
        self._official = official
        self._loader: Any = real.loader
        # What the import system overwrites in the module it is given.
        self._before: ModuleSpec | None = None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """The module itself, imported under its own name."""
        from importlib import import_module

        module = import_module(self._real.name)
        self._before = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """It has run; it keeps its own spec, so that reloading and resources work."""
        from ._reexports import lend

        module.__spec__ = self._before
        lend(module)
        # Libraries that wait for a module to be imported know it by its name, and look
        # where a class is from to learn whether it is one of this package.
        for value in list(vars(module).values()):
            if isinstance(value, type) and _is_named(value.__module__):
                value.__module__ = OFFICIAL_NAME + value.__module__[len(_OWN_NAME) :]
        module.__name__ = self._official

    # What `python -m` asks of a loader.

    def get_code(self, fullname: str) -> CodeType | None:
        """The code of the module, to be run as `__main__`."""
        code: CodeType | None = self._loader.get_code(own_name(fullname))
        return code

    def get_source(self, fullname: str) -> str | None:
        """The text of the module, for tracebacks."""
        text: str | None = self._loader.get_source(own_name(fullname))
        return text

    def get_filename(self, fullname: str) -> str:
        """The file of the module."""
        name: str = self._loader.get_filename(own_name(fullname))
        return name

    def is_package(self, fullname: str) -> bool:
        """Whether it has submodules."""
        return self._real.submodule_search_locations is not None


class AliasFinder:
    """Finds the official package's modules here, and its distribution."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """A spec under the official name; `None` for what is not here.

        Raises:
            ModuleNotFoundError: That release has no such module.
        """
        if fullname in _OF_2:
            # With `None` it would be found by its path.
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)
        if fullname != OFFICIAL_NAME and not fullname.startswith(f"{OFFICIAL_NAME}."):
            return None
        from importlib.util import find_spec

        real = find_spec(own_name(fullname))
        if real is None:
            return None
        loader: Any = AliasLoader(real, fullname)
        spec = AliasSpec(fullname, loader, origin=real.origin)
        spec.real_parent = real.parent
        spec.submodule_search_locations = real.submodule_search_locations
        spec.has_location = real.has_location
        return spec

    def find_distributions(self, context: Any = None) -> Iterable[Distribution]:
        """The distribution whose version programs ask for."""
        name = getattr(context, "name", None)
        if name is not None and name.replace("_", "-").lower() != OFFICIAL_NAME:
            return ()
        from ._distribution import OfficialDistribution

        return (OfficialDistribution(),)

    def invalidate_caches(self) -> None:
        """There are none."""
