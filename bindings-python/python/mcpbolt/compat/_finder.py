"""The official package's name as an importer: `mcp.x` is the module `mcpbolt.x`.

Owns: what the import system and `importlib.metadata` get for that name.
"""

from __future__ import annotations

from importlib.machinery import ModuleSpec

from ._release import OFFICIAL_NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from importlib.metadata import Distribution
    from types import CodeType, ModuleType
    from typing import Any

# Modules for programs of 2.x, which official 1.x does not have; programs detect the release by them.
OF_2 = frozenset({"mcp.server.mcpserver", "mcp.v2"})

_OWN_NAME = __name__.partition(".")[0]


def own_name(fullname: str) -> str:
    """The name in this package of a module of the official package."""
    return _OWN_NAME + fullname[len(OFFICIAL_NAME) :]


def _is_named(home: str) -> bool:
    """Whether the official package has the module that a class comes from."""
    return home.startswith(f"{_OWN_NAME}.") and not home.startswith((f"{_OWN_NAME}._", f"{_OWN_NAME}.compat"))


class AliasSpec(ModuleSpec):
    """A spec with the parent of the module's own name, which relative imports use."""

    real_parent: str | None = None

    @property
    def parent(self) -> str | None:
        """The package that contains the module, under its own name."""
        return self.real_parent


class AliasLoader:
    """Returns a module that is imported already under another name."""

    def __init__(self, real: ModuleSpec, official: str) -> None:
        self._real = real
        self._official = official
        self._loader: Any = real.loader
        # The spec that the import system overwrites in the module.
        self._before: ModuleSpec | None = None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Import the module under its own name and return it."""
        from importlib import import_module

        module = import_module(self._real.name)
        self._before = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Restore the module's own spec, so that reloading and resources work. The module has
        run already.
        """
        from ._hidden import hide_names_of_2
        from ._reexports import lend

        module.__spec__ = self._before
        lend(module)
        hide_names_of_2(module)
        # Libraries that wait for a module to be imported look at its name, and at the module
        # of a class to see whether the class belongs to this package.
        for value in list(vars(module).values()):
            if isinstance(value, type) and _is_named(value.__module__):
                value.__module__ = OFFICIAL_NAME + value.__module__[len(_OWN_NAME) :]
        module.__name__ = self._official

    # Methods that `python -m` calls on a loader.

    def get_code(self, fullname: str) -> CodeType | None:
        """The code of the module, to be run as `__main__`."""
        code: CodeType | None = self._loader.get_code(self._real.name)
        return code

    def get_source(self, fullname: str) -> str | None:
        """The source of the module, for tracebacks."""
        text: str | None = self._loader.get_source(self._real.name)
        return text

    def get_filename(self, fullname: str) -> str:
        """The file of the module."""
        name: str = self._loader.get_filename(self._real.name)
        return name

    def is_package(self, fullname: str) -> bool:
        """Whether the module is a package."""
        return self._real.submodule_search_locations is not None


def spec_of(real: ModuleSpec, fullname: str, loader: Any) -> ModuleSpec:
    """The spec of a module under another name."""
    spec = AliasSpec(fullname, loader, origin=real.origin)
    spec.real_parent = real.parent
    spec.submodule_search_locations = real.submodule_search_locations
    spec.has_location = real.has_location
    return spec


class AliasFinder:
    """Finds the official package's modules in this package, and its distribution."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of a module under its official name; `None` for names outside the package.

        Raises:
            ModuleNotFoundError: The official release has no such module.
        """
        if fullname in OF_2:
            # If `None` were returned, the module would be found through its path.
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)
        if fullname != OFFICIAL_NAME and not fullname.startswith(f"{OFFICIAL_NAME}."):
            return None
        from importlib.util import find_spec

        real = find_spec(own_name(fullname))
        if real is None:
            return None
        return spec_of(real, fullname, AliasLoader(real, fullname))

    def find_distributions(self, context: Any = None) -> Iterable[Distribution]:
        """The distribution from which programs read the version."""
        name = getattr(context, "name", None)
        if name is not None and name.replace("_", "-").lower() != OFFICIAL_NAME:
            return ()
        from ._distribution import OfficialDistribution

        return (OfficialDistribution(),)

    def invalidate_caches(self) -> None:
        """Do nothing: there are no caches."""
