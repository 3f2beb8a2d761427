"""The programs of the README, run as they stand there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import mcpbolt
from guide import snippets

README = snippets.ROOT / "bindings-python" / "README.md"


def test_a_server_and_a_client_in_a_dozen_lines_each(tmp_path: Path) -> None:
    package = Path(mcpbolt.__file__).parent.parent
    here = f"import sys; sys.path.insert(0, {str(package)!r})\n"
    for name, code in zip(("server.py", "client.py"), snippets.fences(README.read_text("utf-8"))):
        assert len([line for line in code.splitlines() if line]) <= 10
        (tmp_path / name).write_text(here + code)
    command = [sys.executable, "client.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr, done.returncode) == ("{'result': 3}\n", "", 0)
