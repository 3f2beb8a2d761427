"""The part of a low-level server that is told who watches its resources.

Owns: hooks for subscriptions of both eras, and notifying those who watch. Must not know: the
engine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from pydantic import AnyUrl

H = TypeVar("H", bound=Callable[[str], Any])


class Watched:
    """Subscriptions of a low-level server."""

    if TYPE_CHECKING:
        subscription_hooks: dict[bool, list[Callable[[str], Any]]]
        hosts: list[Any]

    def on_subscribe(self, hook: H) -> H:
        """Decorator for a function that is called when a client of any revision subscribes to a
        resource. The function may be async.

        Args:
            hook: The function; gets the URI.

        Example:
            ```python
            @server.on_subscribe
            def subscribed(uri: str) -> None:
                print(f"somebody watches {uri}", file=sys.stderr)
            ```
        """
        self.subscription_hooks[True].append(hook)
        return hook

    def on_unsubscribe(self, hook: H) -> H:
        """Decorator for a function that is called when a subscription to a resource ends: the
        client unsubscribed, or its connection closed. The function may be async.

        Args:
            hook: The function; gets the URI.

        Example:
            ```python
            @server.on_unsubscribe
            def unsubscribed(uri: str) -> None:
                print(f"one watcher less of {uri}", file=sys.stderr)
            ```
        """
        self.subscription_hooks[False].append(hook)
        return hook

    def resource_updated(self, uri: AnyUrl | str) -> None:
        """Notify every client that subscribed to a resource that it changed.

        Args:
            uri: The URI of the resource.
        """
        for host in list(self.hosts):
            host.engine.announce("resource", str(uri))
