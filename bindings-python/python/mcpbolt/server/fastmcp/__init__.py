"""The high-level server: functions become tools, resources and prompts."""

from typing import TYPE_CHECKING, Any

from ..._common.functions.media import Audio, Image
from .server import Context, FastMCP

if TYPE_CHECKING:
    from ...types import Icon

    __version__: str

__all__ = ["Audio", "Context", "FastMCP", "Icon", "Image"]


def __getattr__(name: str) -> Any:
    if name == "Icon":
        from ...types import Icon

        return Icon
    if name == "__version__":
        from ..lowlevel.server import package_version

        return package_version()
    from ..._elsewhere import missing

    raise missing(__name__, name)
