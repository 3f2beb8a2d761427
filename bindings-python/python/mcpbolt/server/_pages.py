"""The pages for whoever watches a server: health, readiness, metrics.

Owns: their options, and the routes of an application that has them. Must not know: what the
pages say, which is the engine's.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypedDict

from ..shared.exceptions import UsageError

if TYPE_CHECKING:
    from starlette.routing import Route

    from ._asgi import Receive, Scope, Send
    from ._guard import Guard
    from .streamable_http_manager import StreamableHTTPSessionManager

PAGES = ("health", "ready", "metrics")


class PageOptions(TypedDict, total=False):
    """Paths of pages beside the endpoint of streamable HTTP, such as `/healthz`."""

    health: str | None
    """A page for balancers and supervisors, without a token: status 200, or 503 while the server
    shuts down. Its text says when the store of sessions cannot be reached. Default: none.
    """
    ready: str | None
    """A page that says whether new clients should be sent here, without a token: status 200, or
    503 while the server shuts down or the store of sessions cannot be reached. Default: none.
    """
    metrics: str | None
    """Counters in the text format of Prometheus, behind the server's `auth` and its check of `Host`
    and `Origin`. Default: none.
    """


class WatchOptions(PageOptions, total=False):
    """The same for a server with a listener of its own."""

    shutdown_delay: float
    """For how many seconds all is served on after a shutdown was asked for, while `health` and
    `ready` say 503 already; longer than balancers take to notice. Only with the engine's own HTTP
    server, which serves unless `auth` is set. Default: 0.
    """


def refuse_unknown(function: str, given: Iterable[str], options: type[Any]) -> None:
    """Refuse names that are no options.

    Raises:
        TypeError: There is such a name.
    """
    for name in given:
        if name not in options.__annotations__:
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}")


def check(pages: Mapping[str, str | None], taken: Mapping[str, str]) -> None:
    """Check the paths of pages.

    Args:
        pages: The paths of pages by option.
        taken: The other paths of the server, by the name of their option.

    Raises:
        UsageError: A path does not begin with a slash, has a query, or is taken; the message names
            the option.
    """
    seen = {path: name for name, path in taken.items()}
    for name, path in pages.items():
        if path is None:
            continue
        if not path.startswith("/") or "?" in path or "#" in path:
            remedy = f"write a path that begins with a slash and has no query, such as '/{name}'"
            raise UsageError(f"{name}: {path!r} is no path; {remedy}")
        if path in seen:
            raise UsageError(f"{name}: {path!r} is the path of {seen[path]} too; choose another one")
        seen[path] = name


def pages_of(settings: Any) -> dict[str, str]:
    """The paths of pages in a server's settings, by option; without those that are off.

    Raises:
        UsageError: A path cannot be served; see `check`.
    """
    names = ("streamable_http_path", *(("sse_path", "message_path") if settings.legacy_sse else ()))
    pages: dict[str, str | None] = {name: getattr(settings, name) for name in PAGES}
    check(pages, {name: getattr(settings, name) for name in names})
    return {name: path for name, path in pages.items() if path is not None}


def delay_of(settings: Any) -> float:
    """For how many seconds a server serves on after a shutdown was asked for.

    Raises:
        UsageError: The setting is no number of seconds.
    """
    delay: float = settings.shutdown_delay
    if not 0 <= delay < math.inf:
        raise UsageError(f"shutdown_delay: {delay!r} is no time; write a number of seconds, 0 or more")
    return delay


def refuse_with_sse(settings: Any) -> None:
    """Refuse pages for an application that serves the older transport alone.

    Raises:
        UsageError: The settings have a page.
    """
    for name in PAGES:
        if getattr(settings, name) is not None:
            remedy = "serve that, with legacy_sse=True for clients of HTTP+SSE, or leave the page out"
            raise UsageError(f"{name}: only streamable HTTP has this page: {remedy}")


def routes_of(pages: Mapping[str, str | None], manager: StreamableHTTPSessionManager, guard: Guard) -> list[Route]:
    """The routes that answer pages."""
    from starlette.routing import Route

    found: list[Route] = []
    for name, path in pages.items():
        if path is not None:
            page = _Page(manager, name)
            found.append(Route(path, endpoint=guard.demand(page) if name == "metrics" else page, methods=["GET"]))
    return found


class _Page:
    """One page. It is an object, because Starlette calls functions differently."""

    def __init__(self, manager: StreamableHTTPSessionManager, name: str) -> None:
        self._manager = manager
        self._name = name

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._manager.handle_page(self._name, scope, receive, send)
