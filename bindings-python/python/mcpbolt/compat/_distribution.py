"""What `importlib.metadata` returns for the official package while its name means this one."""

from __future__ import annotations

from importlib.metadata import Distribution
from pathlib import PurePosixPath
from typing import Any

from ._release import OFFICIAL_NAME, OFFICIAL_VERSION

_METADATA = """\
Metadata-Version: 2.1
Name: {name}
Version: {version}
Summary: Emulated by mcpbolt.compat
Requires-Dist: mcpbolt
Provides-Extra: cli
Provides-Extra: rich
Provides-Extra: ws
"""


class OfficialDistribution(Distribution):
    """A distribution without files."""

    def __init__(self, name: str = OFFICIAL_NAME, version: str = OFFICIAL_VERSION) -> None:
        self._files = {
            "METADATA": _METADATA.format(name=name, version=version),
            "top_level.txt": name.replace("-", "_") + "\n",
            "INSTALLER": "mcpbolt\n",
        }

    def read_text(self, filename: str) -> str | None:
        """One of the few texts that a distribution must have."""
        return self._files.get(filename)

    def locate_file(self, path: Any) -> Any:
        """Not used: the distribution has no files."""
        return PurePosixPath(str(path))
