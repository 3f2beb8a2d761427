"""The low-level server of 2.x: handlers by method, and what 2.x may be asked of it.

Owns: its registry as programs for 2.x look into it, and its capabilities by revision. Must not
know: the engine.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, MutableMapping
from typing import TYPE_CHECKING, Any, Generic, cast

from ...._engine.context import request_ctx
from ...._engine.protocol import METHODS, MODERN_REVISIONS
from ...._generics import TypeVar
from ....server._middleware import Chain
from ....server.context import HandlerResult, ServerRequestContext
from ....server.lowlevel._bymethod import MethodHandler, entry_of, put
from ....server.lowlevel._entry import HandlerEntry
from ....server.lowlevel.server import NotificationOptions, lifespan
from ....server.lowlevel.server import Server as _Server
from .._otel import OpenTelemetryMiddleware

if TYPE_CHECKING:
    from pydantic import BaseModel

    from ....server.context import ServerMiddleware
    from ..models import InitializationOptions
    from ..session import ServerSession
    from ...types import Implementation, ServerCapabilities

__all__ = ["HandlerEntry", "LifespanResultT", "NotificationOptions", "Server", "lifespan", "request_ctx"]

LifespanResultT = TypeVar("LifespanResultT", default=Any)

RequestHandler = Callable[[ServerRequestContext[Any, Any], Any], Awaitable[HandlerResult]]
"""Answers a request: an async function of a context and params."""
NotificationHandler = Callable[[ServerRequestContext[Any, Any], Any], Awaitable[None]]
"""Handles a notification: an async function of a context and params."""

Settings = dict[str, dict[str, Any]]
LISTEN = "subscriptions/listen"


class Entries(MutableMapping[str, HandlerEntry[Any]]):
    """The handlers of a server by method, as one of its tables has them.

    Args:
        table: The server's table.
    """

    def __init__(self, table: Any) -> None:
        self._table = table

    def __getitem__(self, method: str) -> HandlerEntry[Any]:
        found = entry_of(self._table, method)
        if found is None:
            raise KeyError(method)
        return found

    def __setitem__(self, method: str, entry: HandlerEntry[Any]) -> None:
        put(self._table, method, entry.params_type, entry.handler)
        self._table.of(method).entry = entry

    def __delitem__(self, method: str) -> None:
        if entry_of(self._table, method) is None:
            raise KeyError(method)
        self._table.drop(method)

    def __iter__(self) -> Iterator[str]:
        return iter([method for method in self._table.methods() if entry_of(self._table, method) is not None])

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def copy(self) -> dict[str, HandlerEntry[Any]]:
        """A dictionary of the handlers; changing it changes nothing in the server."""
        return dict(self.items())

    def replace(self, entries: MutableMapping[str, HandlerEntry[Any]]) -> None:
        """Replace all handlers by these.

        Args:
            entries: The handlers by method.
        """
        for method in [one for one in self if one not in entries]:
            del self[method]
        for method, entry in entries.items():
            if self.get(method) != entry:
                self[method] = entry


def model_of(name: str) -> Callable[[], type[BaseModel]]:
    """What finds a model of 2.x, once it is needed.

    Args:
        name: The model's name.
    """

    def find() -> type[BaseModel]:
        from ... import types

        return cast("type[BaseModel]", getattr(types, name))

    return find


def with_own_params(table: Any) -> None:
    """Have the handlers of a table, as far as they are registered by method, get the params as models
    of 2.x.

    Args:
        table: The table of a server.
    """
    for method in table.methods():
        found, row = table.of(method), METHODS.get(method)
        if isinstance(found, MethodHandler) and row is not None:
            table.put(method, MethodHandler(found.call, model_of(row.params)))


class _Chain(Chain):
    """Middleware of which the one for spans costs nothing: with it alone the engine may still
    answer by itself.
    """

    def __bool__(self) -> bool:
        return any(not isinstance(one, OpenTelemetryMiddleware) for one in self)


class Server(_Server[LifespanResultT, Any], Generic[LifespanResultT]):
    """A registry of handlers that serves any number of connections, exactly as the official 2.x
    package has it.

    Its `middleware` begins with an `OpenTelemetryMiddleware`, which makes a span of each request. A
    program that makes its own spans removes it.

    Args:
        name: The server's name, as clients see it.
        version: The server's version. Default: that of this package.
        *args: The other arguments of `mcpbolt.server.lowlevel.Server`, in its order.
        **kwargs: The other arguments of `mcpbolt.server.lowlevel.Server`, by name.
    """

    def __init__(self, name: str, version: str | None = None, *args: Any, **kwargs: Any) -> None:
        self._chain = _Chain(lambda: None, [OpenTelemetryMiddleware()])
        super().__init__(name, version, *args, **kwargs)

    def _register(self, given: Mapping[str, Any]) -> None:
        super()._register(given)
        for table in (self.request_handlers, self.notification_handlers):
            with_own_params(table)

    if not TYPE_CHECKING:

        @property
        def middleware(self) -> list[ServerMiddleware]:
            """The middleware around every message, outermost first."""
            return self._chain

        @middleware.setter
        def middleware(self, value: Iterable[ServerMiddleware]) -> None:
            # The constructor of 1.x sets the empty chain that reports changes.
            first = isinstance(value, Chain) and not isinstance(value, _Chain) and not value
            self._chain = _Chain(self._middleware_changed, list(self._chain) if first else value)
            if not first:
                self._middleware_changed()

    @property
    def session_class(self) -> type[ServerSession]:
        """What handlers get as the session."""
        from ..session import ServerSession

        return ServerSession

    @property
    def makes_spans(self) -> bool:
        """Whether there are spans of requests."""
        return any(isinstance(one, OpenTelemetryMiddleware) for one in self._chain)

    @property
    def _request_handlers(self) -> Entries:
        return Entries(self.request_handlers)

    @_request_handlers.setter
    def _request_handlers(self, entries: MutableMapping[str, HandlerEntry[Any]]) -> None:
        self._request_handlers.replace(entries)

    @property
    def _notification_handlers(self) -> Entries:
        return Entries(self.notification_handlers)

    @_notification_handlers.setter
    def _notification_handlers(self, entries: MutableMapping[str, HandlerEntry[Any]]) -> None:
        self._notification_handlers.replace(entries)

    @property
    def server_info_stamp(self) -> dict[str, Any]:
        """The name, version and so on of the server, as JSON values."""
        return self.server_info.model_dump(by_alias=True, mode="json", exclude_none=True)

    @property
    def server_info(self) -> Implementation:
        """The name, version and so on of the server."""
        from ...types import Implementation

        return Implementation(
            name=self.name,
            version=self.shown_version,
            title=self.title,
            description=self.description,
            website_url=self.website_url,
            icons=cast("Any", self.icons),
        )

    def create_initialization_options(  # type: ignore[override]
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: Settings | None = None,
        extensions: Settings | None = None,
    ) -> InitializationOptions:
        """Make the description of the server that clients get when they connect: name, version,
        capabilities and so on.

        Args:
            notification_options: Which changes of its lists the server notifies clients of.
                Default: those of the server.
            experimental_capabilities: The `experimental` capabilities, by name. Default: none.
            extensions: Settings of extensions by identifier. Default: those of the server.
        """
        from ..models import InitializationOptions

        told = notification_options or self.notification_options
        return InitializationOptions(
            server_name=self.name,
            server_version=self.shown_version,
            capabilities=self.get_capabilities(told, experimental_capabilities, extensions),
            instructions=self.instructions,
            website_url=self.website_url,
            icons=cast("Any", self.icons),
            title=self.title,
            description=self.description,
        )

    def get_capabilities(  # type: ignore[override]
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: Settings | None = None,
        extensions: Settings | None = None,
        *,
        protocol_version: str | None = None,
    ) -> ServerCapabilities:
        """The capabilities that follow from the registered handlers.

        Args:
            notification_options: Which changes of its lists the server notifies clients of.
                Default: none.
            experimental_capabilities: The `experimental` capabilities, by name. Default: none.
            extensions: Settings of extensions by identifier. Default: those of the server.
            protocol_version: The revision that the client uses. Default: none in particular.
        """
        from ...types import ServerCapabilities

        told = notification_options or NotificationOptions()
        found = self.capabilities(told, experimental_capabilities or {})
        if extensions is not None:
            found["extensions"] = extensions
        if not experimental_capabilities:
            found.pop("experimental", None)
        if protocol_version in MODERN_REVISIONS:
            listens = self.bus is not None or LISTEN in self._request_handlers
            for kind in ("prompts", "resources", "tools"):
                if kind in found:
                    found[kind] = {"listChanged": listens, **({"subscribe": listens} if kind == "resources" else {})}
        return ServerCapabilities.model_validate(found)

