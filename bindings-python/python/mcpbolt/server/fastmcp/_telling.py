"""The part of `FastMCP` that tells clients what changed, and hears what they watch."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from pydantic import AnyUrl

    from ..lowlevel.server import Server
    from .prompts.manager import PromptManager
    from .resources.resource_manager import ResourceManager

F = TypeVar("F", bound=Callable[..., Any])


class Telling:
    """Changes and subscriptions of a high-level server."""

    _mcp_server: Server[Any, Any]
    _resource_manager: ResourceManager
    _prompt_manager: PromptManager

    def subscribe_resource(self) -> Callable[[F], F]:
        """Decorator for a function that is told which resource a client watches. With one,
        clients can; `notify_resource_updated` reaches those that do.
        """
        return self._mcp_server.subscribe_resource()

    def unsubscribe_resource(self) -> Callable[[F], F]:
        """Decorator for a function that is told which resource a client watches no more."""
        return self._mcp_server.unsubscribe_resource()

    def remove_resource(self, uri: AnyUrl | str) -> None:
        """Take a resource away.

        Raises:
            ResourceError: No resource has that URI.
        """
        self._resource_manager.remove_resource(str(uri))

    def remove_prompt(self, name: str) -> None:
        """Take a prompt away.

        Raises:
            ValueError: No prompt has that name.
        """
        self._prompt_manager.remove_prompt(name)

    def notify_resource_updated(self, uri: AnyUrl | str) -> None:
        """Tell all clients that watch a resource that it changed, on any transport and of
        any era. May be called on any thread.
        """
        self._mcp_server.notify("resource", str(uri))

    def notify_tools_changed(self) -> None:
        """Tell clients that there are other tools. Registering and removing tells by itself,
        if `notification_options` say so.
        """
        self._mcp_server.notify("tools")

    def notify_prompts_changed(self) -> None:
        """Tell clients that there are other prompts."""
        self._mcp_server.notify("prompts")

    def notify_resources_changed(self) -> None:
        """Tell clients that there are other resources."""
        self._mcp_server.notify("resources")
