"""The part of a high-level server that notifies clients of changes and manages their subscriptions.

Owns: this part of its class. Must not know: how a change was made.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from pydantic import AnyUrl

    from ..server.lowlevel.server import Server
    from .prompts.manager import BasePromptManager
    from .resources.manager import BaseResourceManager

F = TypeVar("F", bound=Callable[..., Any])


class Telling:
    """Changes and subscriptions of a high-level server."""

    _mcp_server: Server[Any, Any]
    _resource_manager: BaseResourceManager[Any]
    _prompt_manager: BasePromptManager

    def subscribe_resource(self) -> Callable[[F], F]:
        """Decorator for an async function that is called with the URI when a client of a session
        (up to 2025-11-25) subscribes to a resource. Call `notify_resource_updated` to tell
        subscribers of a change. For clients of every revision see `on_subscribe`.

        Example:
            ```python
            @mcp.subscribe_resource()
            async def subscribed(uri):
                print(f"somebody watches {uri}", file=sys.stderr)
            ```
        """
        return self._mcp_server.subscribe_resource()

    def unsubscribe_resource(self) -> Callable[[F], F]:
        """Decorator for an async function that is called with the URI when a client of a session
        (up to 2025-11-25) unsubscribes from a resource.

        Example:
            ```python
            @mcp.unsubscribe_resource()
            async def unsubscribed(uri):
                print(f"one watcher less of {uri}", file=sys.stderr)
            ```
        """
        return self._mcp_server.unsubscribe_resource()

    def remove_resource(self, uri: AnyUrl | str) -> None:
        """Remove a resource.

        Args:
            uri: The URI of the resource.

        Raises:
            ResourceError: There is no resource with that URI.
        """
        self._resource_manager.remove_resource(str(uri))

    def remove_prompt(self, name: str) -> None:
        """Remove a prompt.

        Args:
            name: The prompt's name.

        Raises:
            ValueError: There is no prompt of that name.
        """
        self._prompt_manager.remove_prompt(name)

    def notify_resource_updated(self, uri: AnyUrl | str) -> None:
        """Notify all clients that subscribed to a resource that it changed, whatever their
        transport and revision. May be called from any thread.

        Args:
            uri: The URI of the resource.
        """
        self._mcp_server.notify("resource", str(uri))

    def notify_tools_changed(self) -> None:
        """Notify clients that the list of tools changed. Registering and removing tools does
        this by itself if `notification_options` asks for it. May be called from any thread.
        """
        self._mcp_server.notify("tools")

    def notify_prompts_changed(self) -> None:
        """Notify clients that the list of prompts changed; see `notify_tools_changed`."""
        self._mcp_server.notify("prompts")

    def notify_resources_changed(self) -> None:
        """Notify clients that the list of resources changed; see `notify_tools_changed`."""
        self._mcp_server.notify("resources")
