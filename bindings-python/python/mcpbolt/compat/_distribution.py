"""What `importlib.metadata` returns for the official package while its name means this one."""

from __future__ import annotations

from importlib.metadata import Distribution
from pathlib import PurePosixPath
from typing import Any

from ._release import OFFICIAL_NAME, OFFICIAL_VERSION

_METADATA = f"""\
Metadata-Version: 2.1
Name: {OFFICIAL_NAME}
Version: {OFFICIAL_VERSION}
Summary: Emulated by mcpbolt.compat
Requires-Dist: mcpbolt
Provides-Extra: cli
Provides-Extra: rich
Provides-Extra: ws
"""
_FILES = {"METADATA": _METADATA, "top_level.txt": f"{OFFICIAL_NAME}\n", "INSTALLER": "mcpbolt\n"}


class OfficialDistribution(Distribution):
    """A distribution without files."""

    def read_text(self, filename: str) -> str | None:
        """One of the few texts that a distribution must have."""
        return _FILES.get(filename)

    def locate_file(self, path: Any) -> Any:
        """Not used: the distribution has no files."""
        return PurePosixPath(str(path))
