"""`cargo` for a newcomer whose dependencies are compiled already: those of the checkout.

    lent_cargo.py LIBRARIES new NAME | add … | build | run --bin NAME

Cargo itself would compile everything once more, because other crates want other features.
Owns: what the lines of the pages need of it. A program finds the crates that were added.
"""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

ADDED = Path("Cargo.toml")


def new(name: str) -> None:
    (Path(name) / "src").mkdir(parents=True)
    (Path(name) / ADDED).write_text(f'[package]\nname = "{name}"\nedition = "2024"\n\n[dependencies]\n', "utf-8")


def add(words: list[str]) -> None:
    options = dict(zip(words, words[1:]))
    values = {options[name] for name in ("--path", "--features") if name in options}
    path = options.get("--path")
    if path and not (Path(path) / "Cargo.toml").is_file():
        sys.exit(f"error: there is no crate in {path}")
    for name in words:
        if not name.startswith("--") and name not in values:
            with ADDED.open("a", encoding="utf-8") as file:
                file.write(f"{name} = {json.dumps(path or '*')}\n")


def build(libraries: dict[str, list[str]]) -> None:
    text = ADDED.read_text("utf-8")
    added = [line.partition(" ")[0] for line in text.partition("[dependencies]\n")[2].splitlines()]
    name = text.partition('name = "')[2].partition('"')[0]
    out = Path("target/debug")
    out.mkdir(parents=True, exist_ok=True)
    programs = {name: Path("src/main.rs"), **{file.stem: file for file in Path("src/bin").glob("*.rs")}}
    for program, file in programs.items():
        common = ["rustc", "--edition", "2024", "--crate-name", program.replace("-", "_"), str(file)]
        common += ["-L", f"dependency={libraries[''][0]}", "-o", str(out / program)]
        said = b""
        # A crate may be there twice, with other features. One of them is what ours stand on.
        for chosen in itertools.product(*(libraries[crate] for crate in added)):
            externs = [word for pair in zip(added, chosen) for word in ("--extern", "=".join(pair))]
            built = subprocess.run([*common, *externs], check=False, stderr=subprocess.PIPE)
            said = said or built.stderr
            if built.returncode == 0:
                break
        else:
            sys.exit(said.decode("utf-8", "replace"))


def main() -> None:
    libraries: dict[str, list[str]] = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    verb, words = sys.argv[2], sys.argv[3:]
    if verb == "new":
        new(words[0])
    elif verb == "add":
        add(words)
    elif verb in ("build", "run"):
        build(libraries)
        if verb == "run":
            name = words[words.index("--bin") + 1]
            os.execv(f"target/debug/{name}", [name])
    else:
        sys.exit(f"error: the pages use no cargo {verb} yet; add it to tests/newcomer/lent_cargo.py")


if __name__ == "__main__":
    main()
