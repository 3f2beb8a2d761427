"""Type information for `import mcp` under the alias: `python -m mcpbolt.compat.stubs [--api 1|2] FOLDER`.

Type checkers read files and do not run `install()`, so that they find the official package, or
none. This writes a package `mcp` of stubs, for 2.x also `mcp_types`: put the folder on the
checker's path. pyright reads `typings` without being told; mypy reads the folders of `MYPYPATH`.
There is no source behind them: pyright warns of that unless `reportMissingModuleSource` is off.
Write it again after an update of mcpbolt.

Owns: which modules and names the stubs of 1.x have, and the command. Must not know: types; each
stub of 1.x imports them.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

from ._finder import OF_2, own_name
from ._reexports import FOREIGN
from ._release import OFFICIAL_NAME, TYPES_NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["write"]

_OWN = own_name(OFFICIAL_NAME)


def write(folder: str | Path, *, api: int = 1) -> int:
    """Write the stubs into a folder, below `mcp` and `mcp_types`, and return how many there are.

    Args:
        folder: Where to write them.
        api: The line of the official package, 1 or 2.

    Raises:
        ValueError: There is no such line.
        OSError: The folder cannot be written.
    """
    if api not in (1, 2):
        raise ValueError(f"api is 1 or 2, not {api!r}")
    return _write_1(folder) if api == 1 else _write_2(Path(folder))


def _write_2(folder: Path) -> int:
    from ._stubs2 import stubs

    count = 0
    for module, is_package, text in stubs():
        target = folder.joinpath(*module.split("."), *(["__init__"] if is_package else []))
        target.parent.mkdir(parents=True, exist_ok=True)
        target.with_name(f"{target.name}.pyi").write_text(f"{text}\n", "utf-8")
        count += 1
    for top in (OFFICIAL_NAME, TYPES_NAME):
        (folder / top / "py.typed").write_text("", "utf-8")
    return count


def _write_1(folder: str | Path) -> int:
    top = Path(folder) / OFFICIAL_NAME
    count = 0
    for path, module in sorted(_modules(), key=lambda row: row[1]):
        lines = list(_lines(module, path))
        target = top.joinpath(*module.split(".")) if module else top
        if path.name == "__init__.py":
            target = target / "__init__"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.with_suffix(".pyi").write_text("\n".join(lines) + "\n", "utf-8")
        count += 1
    (top / "py.typed").write_text("", "utf-8")
    return count


def _modules() -> Iterator[tuple[Path, str]]:
    """The modules that can be imported under the official name: their files, and their names
    below the package.
    """
    root = Path(__file__).resolve().parents[1]
    for path in root.rglob("*.py"):
        parts = path.relative_to(root).with_suffix("").parts
        parts = parts[:-1] if parts[-1] == "__init__" else parts
        module = ".".join(parts)
        official = f"{OFFICIAL_NAME}.{module}"
        of_2 = any(official == name or official.startswith(f"{name}.") for name in OF_2)
        if not of_2 and not (parts and (parts[0] == "compat" or _is_private(parts, module))):
            yield path, module


def _is_private(parts: tuple[str, ...], module: str) -> bool:
    """Whether a module is private and not one that the official package has, too."""
    return any(part.startswith("_") for part in parts) and not any(module in homes for homes in FOREIGN.values())


def _lines(module: str, path: Path) -> Iterator[str]:
    """A stub: what the module defines or hands on, and what programs take from it although it
    is defined elsewhere.
    """
    own = f"{_OWN}.{module}" if module else _OWN
    names = _names(ast.parse(path.read_text("utf-8")))
    yield from (f"from {own} import {name} as {name}" for name in sorted(names))
    for home, lent in FOREIGN.get(module, {}).items():
        for name in lent.split():
            alias, _, real = name.partition("=")
            if alias in names:
                continue
            place = f"{_OWN}.{home}" if home else _OWN
            if alias.startswith("*"):
                parent, _, last = place.rpartition(".")
                yield f"from {parent} import {last} as {alias[1:]}" if parent else f"import {place} as {alias[1:]}"
            else:
                yield f"from {place} import {real or alias} as {alias}"


def _names(tree: ast.Module) -> set[str]:
    """The public names of a module: those it lists, or else what it defines and hands on."""
    listed: set[str] = set()
    found: set[str] = set()
    for node in _statements(tree.body):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found.update(target.id for target in targets if isinstance(target, ast.Name))
            if any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets):
                listed.update(_texts(node.value))
        elif isinstance(node, ast.ImportFrom):
            found.update(name.name for name in node.names if name.asname == name.name)
    return {name for name in listed or found if not name.startswith("_") and name != "TYPE_CHECKING"}


def _statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a module, those in its conditions too."""
    for node in body:
        if isinstance(node, ast.If):
            yield from _statements(node.body)
            yield from _statements(node.orelse)
        else:
            yield node


def _texts(node: ast.expr | None) -> Iterator[str]:
    if isinstance(node, ast.List | ast.Tuple):
        for each in node.elts:
            if isinstance(each, ast.Constant) and isinstance(each.value, str):
                yield each.value


def _main(arguments: list[str]) -> int:
    api = 1
    if arguments[:1] == ["--api"] and arguments[1:2] in (["1"], ["2"]):
        api, arguments = int(arguments[1]), arguments[2:]
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print("usage: python -m mcpbolt.compat.stubs [--api 1|2] FOLDER", file=sys.stderr)
        return 2
    print(f"{write(arguments[0], api=api)} stubs in {Path(arguments[0]) / OFFICIAL_NAME}")
    return 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
