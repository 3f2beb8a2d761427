"""What a server sends about itself, in the form that the engine takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from .._engine.json import model_dict
from ..shared._definitions import icons_of, own_types

if TYPE_CHECKING:
    from .models import InitializationOptions


class Introduced(Protocol):
    """The optional members of what a server says of itself."""

    @property
    def title(self) -> str | None:
        """The name for people."""
        ...

    @property
    def description(self) -> str | None:
        """What the server is for."""
        ...

    @property
    def website_url(self) -> str | None:
        """Where to read about the server."""
        ...

    @property
    def icons(self) -> list[Any] | None:
        """Pictures for lists of servers."""
        ...

    @property
    def instructions(self) -> str | None:
        """How a model should use the server."""
        ...


def about_of(options: InitializationOptions) -> dict[str, Any]:
    """Convert initialization options to the form that the engine takes."""
    return introduction(options.server_name, options.server_version, model_dict(options.capabilities), options)


def introduction(
    name: str, version: str | None, capabilities: dict[str, Any], rest: Introduced
) -> dict[str, Any]:
    """Combine a name, a version and capabilities with the optional members of `rest`.

    Raises:
        ValidationError: An icon does not fit its model (an error of pydantic).
    """
    info: dict[str, Any] = {"name": name, "version": version}
    if rest.title is not None:
        info["title"] = rest.title
    if rest.description is not None:
        info["description"] = rest.description
    if rest.website_url is not None:
        info["websiteUrl"] = rest.website_url
    icons = icons_of(rest.icons, own_types)
    if icons is not None:
        info["icons"] = [model_dict(icon) for icon in icons]
    about: dict[str, Any] = {"serverInfo": info, "capabilities": capabilities}
    if rest.instructions is not None:
        about["instructions"] = rest.instructions
    return about
