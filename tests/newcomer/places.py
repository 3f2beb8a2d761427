"""Where a newcomer works: an empty home, a project, the checkout beside it.

Owns: folders and environments, and how packages get there: by default those that are built,
with `--full` by the lines that the page prints.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
# What pages want beside the languages, where it is here. A newcomer installs it from the system.
TOOLS = ("nginx",)
# Where registries and tools are found on this machine; a home that is empty does not say it.
OF_TOOLS = ("PIP_", "npm_config_", "NPM_CONFIG_", "CARGO_REGISTR", "CARGO_HTTP", "CARGO_NET", "SSL_", "http_proxy", "https_proxy", "no_proxy")
MCPBOLT = """#!/bin/sh
exec {python} -c 'import sys; from mcpbolt.cli import app; sys.argv[0] = "mcpbolt"; sys.exit(app())' "$@"
"""
CARGO = """#!/bin/sh
exec {python} {top}/tests/newcomer/lent_cargo.py {libraries} "$@"
"""


def libraries(file: Path) -> None:
    """Writes which files each crate of the checkout is compiled into; under no name, their folder."""
    of_us = ("CARGO_PKG_", "CARGO_MANIFEST_")
    env = {name: value for name, value in os.environ.items() if not name.startswith(of_us)}
    command = ["cargo", "build", "--quiet", "--workspace", "--lib", "--message-format", "json"]
    said = subprocess.run(command, cwd=TOP, env=env, stdout=subprocess.PIPE, check=True, text=True).stdout
    found: dict[str, list[str]] = {}
    for message in map(json.loads, said.splitlines()):
        # A crate that build scripts link as well is there twice; the build tries both.
        if message["reason"] == "compiler-artifact":
            for name in message["filenames"]:
                if name.endswith(".rlib"):
                    found.setdefault(message["target"]["name"], []).append(name)
                    if "deps" in Path(name).parts:
                        found[""] = [str(Path(name).parent)]
    file.write_text(json.dumps(found), "utf-8")


@dataclass
class Place:
    """The folders of one section of one page."""

    top: Path
    node: str
    libraries: Path
    full: bool

    def __post_init__(self) -> None:
        for folder in (self.home, self.project, self.bin):
            folder.mkdir(parents=True)
        (self.around / "mcpbolt").symlink_to(TOP)
        if self.full:
            # As npm makes it in a folder that has none, and none above it.
            (self.project / "package.json").write_text("{}\n", "utf-8")
            strays = [str(above) for above in self.top.parents if (above / "node_modules/mcpbolt").exists()]
            if strays:
                sys.exit(f"{strays[0]}/node_modules has mcpbolt, which every project below would find: remove it")

    @property
    def home(self) -> Path:
        return self.top / "home"

    @property
    def around(self) -> Path:
        return self.top / "work"

    @property
    def project(self) -> Path:
        return self.around / "project"

    @property
    def bin(self) -> Path:
        return self.top / "bin"

    def environment(self) -> dict[str, str]:
        """Nothing of ours but the programs' places."""
        home = Path.home()
        tools = [shutil.which(name) for name in (self.node, "npm", "cargo", "bash", *TOOLS)]
        found = [str(Path(tool).parent) for tool in tools if tool]
        first = [str(self.bin), str(self.venv / "bin")] if self.full else [str(self.bin), str(Path(sys.executable).parent)]
        env = {
            "PATH": os.pathsep.join(dict.fromkeys([*first, *found, "/usr/local/bin", "/usr/bin", "/bin"])),
            "HOME": str(self.home),
            "LC_ALL": "C.UTF-8",
            "TERM": "xterm",
            "CARGO_HOME": os.environ.get("CARGO_HOME", str(home / ".cargo")),
            "RUSTUP_HOME": os.environ.get("RUSTUP_HOME", str(home / ".rustup")),
        }
        if self.full:
            env.update({name: value for name, value in os.environ.items() if name.startswith(OF_TOOLS)})
            for name, file in (("NPM_CONFIG_USERCONFIG", home / ".npmrc"), ("PIP_CONFIG_FILE", home / ".config/pip/pip.conf")):
                if file.is_file():
                    env.setdefault(name, str(file))
        return env

    @property
    def venv(self) -> Path:
        return self.top / "venv"

    def lend(self) -> None:
        """The built packages, as if they had been installed."""
        for name, text in (("mcpbolt", MCPBOLT), ("cargo", CARGO)):
            launcher = self.bin / name
            launcher.write_text(text.format(python=sys.executable, top=TOP, libraries=self.libraries), "utf-8")
            launcher.chmod(0o755)
        modules = self.project / "node_modules"
        modules.mkdir()
        (modules / "mcpbolt").symlink_to(TOP / "bindings-node")
