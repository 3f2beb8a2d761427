"""Stubs for `import mcp` and `import mcp_types` under the alias of 2.x.

There the same classes work with other models than under the alias of 1.x, so that a stub cannot
only name what is in a module: it repeats what the module declares, with the models of 2.x in
place of the others.

Owns: which module has its stub where, and what a stub repeats. Must not know: types.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from ._finder2 import is_of_1
from ._release import OFFICIAL_NAME, TYPES_NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_ROOT = Path(__file__).resolve().parents[1]
_OWN = __name__.partition(".")[0]
_V2 = f"{_OWN}.v2"
# Modules without a name under the alias, or behind another one.
_HIDDEN = f"{OFFICIAL_NAME}._own"
# Modules that are the same for both lines.
_AS_THEY_ARE = (f"{_OWN}._engine", f"{_OWN}._mcpbolt", f"{_OWN}.compat", f"{_V2}._types")
_MODELS = (f"{_OWN}.types", f"{_OWN}._types")
# Names that a stub has in place of others, and where they are.
_INSTEAD = {"ClientRequestContext": f"{OFFICIAL_NAME}.client.context", "RequestParamsMeta": TYPES_NAME}
_STREAMS = {"MemoryObjectReceiveStream": "ReadStream", "MemoryObjectSendStream": "WriteStream"}
# What a checker may not find in a stub, because every name would be known then.
_LOOKUPS = ("__getattr__", "__dir__")


def stubs() -> Iterator[tuple[str, bool, str]]:
    """The stubs: the module's name, whether it is a package, and the text."""
    for module, path in _files():
        is_package = path.name == "__init__.py"
        if _is_below(module, f"{_V2}.types"):
            text = "\n".join(f"from {module} import {name} as {name}" for name in sorted(_listed(path)))
            yield _home(module), is_package, text
            if module == f"{_V2}.types":
                text += "\nfrom . import jsonrpc as jsonrpc, version as version"
            yield module.replace(_V2, OFFICIAL_NAME, 1), is_package, text
        elif not _is_as_it_is(module) and not any(_is_below(module, name) for name in _MODELS):
            yield _home(module), is_package, _repeated(module, path)


def _is_below(name: str, top: str) -> bool:
    return name == top or name.startswith(f"{top}.")


def _is_as_it_is(module: str) -> bool:
    return any(_is_below(module, name) for name in _AS_THEY_ARE)


def _files() -> Iterator[tuple[str, Path]]:
    for path in sorted(_ROOT.rglob("*.py")):
        parts = path.relative_to(_ROOT.parent).with_suffix("").parts
        if parts[-1] != "__main__":
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def _path(module: str) -> Path | None:
    """The file of a module of this package; `None` if there is no such module."""
    base = _ROOT.parent.joinpath(*module.split("."))
    for path in (base / "__init__.py", base.with_suffix(".py"), base.with_suffix(".pyi")):
        if path.is_file():
            return path
    return None


def _home(module: str) -> str:
    """The name of the stub of a module of this package."""
    if _is_as_it_is(module):
        return module
    if _is_below(module, f"{_V2}.types"):
        return TYPES_NAME + module[len(f"{_V2}.types") :]
    if any(_is_below(module, name) for name in _MODELS):
        return TYPES_NAME
    if _is_below(module, _V2):
        return OFFICIAL_NAME + module[len(_V2) :]
    rest = module[len(_OWN) :]
    is_behind = _path(_V2 + rest) is not None or is_of_1(OFFICIAL_NAME + rest)
    return (_HIDDEN if is_behind else OFFICIAL_NAME) + rest


@cache
def _listed(path: Path) -> frozenset[str]:
    """The names in `__all__`."""
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
            names: list[str] = ast.literal_eval(node.value)
            return frozenset(names)
    return frozenset()


def _parents(module: str, is_package: bool) -> list[str]:
    """The package that a module's relative imports start from."""
    return module.split(".") if is_package else module.split(".")[:-1]


def _base(node: ast.ImportFrom, parents: list[str]) -> str:
    """The module that names are imported from."""
    if not node.level:
        return node.module or ""
    return ".".join([*parents[: len(parents) - node.level + 1], *([node.module] if node.module else [])])


@cache
def _foundations(module: str) -> frozenset[str]:
    """What a module imports whenever it is imported."""
    path = _path(module)
    if path is None:
        return frozenset()
    parents = _parents(module, path.name.startswith("__init__."))
    body = ast.parse(path.read_text("utf-8")).body
    return frozenset(_base(node, parents) for node in body if isinstance(node, ast.ImportFrom))


_models = _listed(_ROOT / "v2" / "types" / "__init__.py")


def _repeated(module: str, path: Path) -> str:
    """What a module declares. mypy would find fault with what is not in the models of 2.x."""
    tree = _Declarations(module, path.name == "__init__.py").visit(ast.parse(path.read_text("utf-8")))
    return f"# mypy: ignore-errors\n{ast.unparse(ast.fix_missing_locations(tree))}"


class _Declarations(ast.NodeTransformer):
    """Leaves declarations without what they do, and names modules by their stubs."""

    def __init__(self, module: str, is_package: bool) -> None:
        self._module = module
        self._parents = _parents(module, is_package)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> list[ast.stmt]:
        """Each name from the stub that has it."""
        base = _base(node, self._parents)
        if not _is_below(base, _OWN):
            return [_with_protocols(node)]
        return [self._imported(base, name.name, name.asname, always=node.col_offset == 0) for name in node.names]

    def _imported(self, base: str, name: str, alias: str | None, *, always: bool) -> ast.stmt:
        home = _home(self._replaced(base, name, always=always))
        if _path(f"{base}.{name}") is not None:
            module = _home(f"{base}.{name}")
            module = f"{OFFICIAL_NAME}.types" if module == TYPES_NAME else module
            home, _, last = module.rpartition(".")
            return ast.ImportFrom(home, [ast.alias(last, alias or (None if last == name else name))], 0)
        if home == TYPES_NAME and name not in _models:
            home, name, alias = "typing", "Any", alias or name
        return ast.ImportFrom(home, [ast.alias(name, alias)], 0)

    def _replaced(self, base: str, name: str, *, always: bool) -> str:
        """The module of 2.x that stands before another, unless this one is it or what it builds on;
        that may still name it where only checkers look.
        """
        other = base.replace(_OWN, _V2, 1)
        if _is_below(base, _V2) or other == self._module or (always and self._module in _foundations(other)):
            return base
        path = _path(other)
        return other if path is not None and name in _listed(path) else base

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """What callbacks of a client are given has no parameters in 2.x."""
        if _is_below(self._module, f"{_OWN}.client") and ast.unparse(node.value) == "RequestContext":
            return ast.Name("ClientRequestContext")
        return self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """What 1.x has as a class within another."""
        if ast.unparse(node) == "RequestParams.Meta":
            return ast.Name("RequestParamsMeta")
        return self.generic_visit(node)

    def visit_Module(self, node: ast.Module) -> ast.Module:
        """Also imports what is named instead of something else."""
        self.generic_visit(node)
        named = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        after = [isinstance(each, ast.ImportFrom) and each.module == "__future__" for each in node.body]
        for name, home in _INSTEAD.items():
            if name in named:
                node.body.insert(after.index(True) + 1 if True in after else 0, ast.ImportFrom(home, [ast.alias(name)], 0))
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        """What 1.x takes as a `timedelta` are seconds in 2.x."""
        self.generic_visit(node)
        if node.arg.endswith("_timeout_seconds") and node.annotation is not None:
            node.annotation = _Seconds().visit(node.annotation)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST | None:
        """A signature with its documentation. Initializers stay: they declare members."""
        if node.name in _LOOKUPS and node.col_offset == 0:
            return None
        self.generic_visit(node)
        if node.name != "__init__":
            node.body = _without_work(node)
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        """The same for functions that wait."""
        self.generic_visit(node)
        node.body = _without_work(node)
        return node


def _with_protocols(node: ast.ImportFrom) -> ast.ImportFrom:
    """The protocols of streams that 2.x takes, under the names of anyio's classes."""
    if node.module != "anyio.streams.memory":
        return node
    names = [ast.alias(_STREAMS[each.name], each.name) for each in node.names if each.name in _STREAMS]
    return ast.ImportFrom(f"{OFFICIAL_NAME}.shared._stream_protocols", names, 0) if names else node


class _Seconds(ast.NodeTransformer):
    def visit_Name(self, node: ast.Name) -> ast.Name:
        """`float` for `timedelta`."""
        return ast.Name("float") if node.id == "timedelta" else node


def _without_work(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.stmt]:
    words = ast.get_docstring(node, clean=False)
    # What yields declares by it that its type is a generator's.
    yields = isinstance(node, ast.AsyncFunctionDef) and any(isinstance(each, ast.Yield) for each in ast.walk(node))
    rest: list[ast.stmt] = [ast.Expr(ast.Yield(ast.Constant(...)) if yields else ast.Constant(...))]
    return [ast.Expr(ast.Constant(words)), *rest] if words else rest
