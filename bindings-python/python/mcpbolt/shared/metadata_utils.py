"""Names to show to people."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..types import Implementation, Prompt, Resource, ResourceTemplate, Tool


def get_display_name(obj: Tool | Resource | Prompt | ResourceTemplate | Implementation) -> str:
    """The name that a user interface should show for an object.

    This is its title; for a tool without one, the title in its annotations; else its name.

    Args:
        obj: The object.
    """
    title = getattr(obj, "title", None)
    if title is None:
        title = getattr(getattr(obj, "annotations", None), "title", None) if _is_tool(obj) else None
    return obj.name if title is None else title


def _is_tool(obj: object) -> bool:
    return hasattr(obj, "inputSchema")
