"""The stubs by which type checkers find this package under `import mcp`.

What the checkers say of them is a part of `cargo xtask lint typing`.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from mcpbolt.compat.stubs import write


def test_every_name_of_the_stubs_is_where_they_say(tmp_path: Path) -> None:
    count = write(tmp_path)
    stubs = sorted((tmp_path / "mcp").rglob("*.pyi"))
    assert count == len(stubs) > 100
    assert (tmp_path / "mcp" / "py.typed").exists()
    missing = []
    for stub in stubs:
        for node in ast.parse(stub.read_text("utf-8")).body:
            assert isinstance(node, ast.Import | ast.ImportFrom), stub
            for name in node.names if isinstance(node, ast.ImportFrom) else ():
                assert name.asname is not None, stub
                home = import_module(str(node.module))
                if not hasattr(home, name.name) and name.name not in getattr(home, "__annotations__", {}):
                    missing.append(f"{stub.relative_to(tmp_path)}: {node.module}.{name.name}")
    assert missing == []


def test_names_of_another_release_have_no_stub(tmp_path: Path) -> None:
    write(tmp_path)
    assert not (tmp_path / "mcp" / "server" / "mcpserver").exists()
    assert not (tmp_path / "mcp" / "compat").exists()
    assert "streamablehttp_client" in (tmp_path / "mcp" / "client" / "streamable_http.pyi").read_text("utf-8")


def test_the_command_says_what_it_wrote_and_how_it_is_used(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mcpbolt.compat.stubs"]
    done = subprocess.run([*command, str(tmp_path)], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(f" stubs in {tmp_path / 'mcp'}\n")
    wrong = subprocess.run([*command, "--what"], capture_output=True, text=True, timeout=60, check=False)
    assert (wrong.returncode, wrong.stderr) == (2, "usage: python -m mcpbolt.compat.stubs [--api 1|2] FOLDER\n")


def test_stubs_of_2_are_those_of_both_packages(tmp_path: Path) -> None:
    count = write(tmp_path, api=2)
    stubs = sorted(tmp_path.rglob("*.pyi"))
    assert count == len(stubs) > 200
    for top in ("mcp", "mcp_types"):
        assert (tmp_path / top / "py.typed").exists()
    missing = []
    for stub in stubs:
        for node in ast.walk(ast.parse(stub.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom):
                name = str(node.module)
                if node.level == 0 and name.startswith(("mcp.", "mcp_types")) and not _is_there(tmp_path, name):
                    missing.append(f"{stub.relative_to(tmp_path)}: {name}")
    assert missing == []
    assert "class MCPServer(" in (tmp_path / "mcp" / "server" / "mcpserver" / "server.pyi").read_text("utf-8")
    assert not (tmp_path / "mcp" / "server" / "fastmcp").exists()


def test_what_a_module_of_2_builds_on_does_not_build_on_it(tmp_path: Path) -> None:
    write(tmp_path, api=2)
    client = tmp_path / "mcp" / "client"
    assert "class ClientSession(Asking)" in (client / "session.pyi").read_text("utf-8")
    base = "from mcp._own.client.session import ClientSession as _ClientSession"
    assert base in (client / "_asking.pyi").read_text("utf-8")
    # Others get the class of 2.x.
    assert "from mcp.client.session import ClientSession" in (client / "context.pyi").read_text("utf-8")


def _is_there(folder: Path, module: str) -> bool:
    place = folder.joinpath(*module.split("."))
    return place.with_suffix(".pyi").exists() or (place / "__init__.pyi").exists()


def test_there_are_stubs_of_two_lines(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="api is 1 or 2, not 3"):
        write(tmp_path, api=3)
    command = [sys.executable, "-m", "mcpbolt.compat.stubs", "--api", "2", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
