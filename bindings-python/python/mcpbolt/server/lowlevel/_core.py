"""What a low-level server consists of, without the ways in which it is served over HTTP.

Owns: the registry of handlers, and what a server sends about itself. Must not know: the engine;
a `ServerHost` puts one behind every `run`. Session managers for HTTP know this class, and
`Server` makes them.
"""

from __future__ import annotations

import contextvars
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any, Generic, Literal, cast

from ... import _mcpbolt
from ..._engine import face
from ..._engine.context import request_ctx as current_request
from ..._engine.methods import LISTEN, NOTIFICATIONS, REQUESTS
from ..._generics import TypeVar as DefaultTypeVar
from ..._naming import found_in
from .._middleware import Chain
from ._by_hand import ByHand
from ._bymethod import ByMethod, put
from ._decorators import Decorators
from ._handlers import Handler, wrapped
from ._table import HandlerTable
from ._watched import Watched

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

    from ... import types
    from ...shared.context import RequestContext
    from ...shared.message import SessionMessage
    from ..caching import CacheHint
    from ..context import ServerMiddleware
    from ..guarding import Guarding
    from ..models import InitializationOptions
    from ..request_state import RequestStateBoundary
    from ..session import ServerSession
    from ..experimental.task_support import TaskSupport
    from ..subscriptions import SubscriptionBus
    from .experimental import ExperimentalHandlers

LifespanResultT = DefaultTypeVar("LifespanResultT", default=Any)
RequestT = DefaultTypeVar("RequestT", default=Any)

# The request that the running handler answers.
request_ctx: contextvars.ContextVar[RequestContext[ServerSession, Any, Any]] = current_request


@found_in("server.lowlevel.server")
class NotificationOptions:
    """Which changes of its lists a server declares to notify clients of.

    Args:
        prompts_changed: Whether clients are told that the list of prompts changed. Default: no.
        resources_changed: Whether clients are told that the list of resources changed. Default: no.
        tools_changed: Whether clients are told that the list of tools changed. Default: no.
    """

    def __init__(
        self, prompts_changed: bool = False, resources_changed: bool = False, tools_changed: bool = False
    ) -> None:
        self.prompts_changed = prompts_changed
        self.resources_changed = resources_changed
        self.tools_changed = tools_changed


@found_in("server.lowlevel.server")
@asynccontextmanager
async def lifespan(_: ServerCore[Any, Any]) -> AsyncGenerator[dict[str, Any], None]:
    """The lifespan of a server that has none; yields an empty dictionary."""
    yield {}


@found_in("server.lowlevel.server")
def package_version() -> str:
    """The version of this package, which is also that of servers without a version of their own."""
    given = face.current.version
    return str(getattr(_mcpbolt, "__version__", "unknown")) if given is None else given


class ServerCore(ByMethod[LifespanResultT], ByHand, Decorators, Watched, Generic[LifespanResultT, RequestT]):
    """A registry of handlers that serves any number of connections.

    Args:
        name: The server's name, as clients see it.
        version: The server's version; `None` for that of this package.
        lifespan: Called with this server when a run starts; returns an async context manager.
        fast_path: Whether the engine answers by itself what needs no function.
        options: Options of the engine by name.
    """

    def __init__(
        self,
        name: str,
        version: str | None,
        lifespan: Callable[[Any], AbstractAsyncContextManager[Any]],
        *,
        fast_path: bool,
        options: dict[str, Any] | None,
    ) -> None:
        self.name = name
        self.title: str | None = None
        self.description: str | None = None
        self.version: str | None = version or None
        self.instructions: str | None = None
        self.website_url: str | None = None
        self.icons: list[types.Icon] | None = None
        self.lifespan = lifespan
        self.fast_path = fast_path
        self.notification_options: NotificationOptions = NotificationOptions()
        # The answer to a call of an unknown tool: "result" with `isError`, or "error".
        self.unknown_tool: str = "result"
        self.options: dict[str, Any] = dict(options or {})
        # The program's own authorization, audit and filtering of results.
        self.guarding: Guarding | None = None
        # Its part about tasks of 2025-11-25, once the program has asked for it.
        self._experimental_handlers: ExperimentalHandlers | None = None
        # Seals `requestState` with the program's keys, if it has some.
        self.state_boundary: RequestStateBoundary | None = None
        self.hosts: list[Any] = []
        # The lists of a high-level server; see `ServerHost`.
        self.provider: Any = None
        self.subscription_hooks: dict[bool, list[Callable[[str], Any]]] = {True: [], False: []}
        self.input_checkers: dict[str, Any] = {}
        self.output_checkers: dict[str, Any] = {}
        self._tool_cache: dict[str, types.Tool] = {}
        table = HandlerTable(REQUESTS, self._changed)
        self._table = table
        # Programs read and write these as dictionaries, as in the official package.
        self.request_handlers: dict[type, Callable[..., Awaitable[types.ServerResult]]] = cast("Any", table)
        self.notification_handlers: dict[type, Callable[..., Awaitable[None]]] = cast(
            "Any", HandlerTable(NOTIFICATIONS, self._changed)
        )
        table.put("ping", Handler(_pong, builtin=True))
        self.cache_hints: dict[str, CacheHint] = {}
        self.get_tool_input_schema: Callable[[str], Mapping[str, Any] | None] | None = None
        # Settings of extensions by identifier, sent in the capabilities.
        self.extensions: dict[str, dict[str, Any]] = {}
        # Rows of their methods, and their hooks by the method that each is for.
        self.extension_methods: list[dict[str, Any]] = []
        self.hooks: dict[str, list[ServerMiddleware]] = {}
        # The bus on which the program publishes changes.
        self.bus: SubscriptionBus | None = None
        # The handler of `subscriptions/listen` that the engine stands in for, and whether there
        # is none on purpose.
        self.own_listen: Any = None
        self.refuses_listen: bool = False
        # The middleware around every message, outermost first.
        self.middleware: list[ServerMiddleware] = Chain(self._middleware_changed)

    def _present(
        self,
        title: str | None,
        description: str | None,
        instructions: str | None,
        website_url: str | None,
        icons: list[types.Icon] | None,
    ) -> None:
        """Set what the server sends about itself, besides its name and version."""
        self.title, self.description, self.instructions = title, description, instructions
        self.website_url, self.icons = website_url, icons

    def _guard_by(self, guarding: Guarding) -> None:
        """Set the program's guard rails."""
        self.guarding = guarding

    @staticmethod
    def _bus_of(handlers: dict[str, Any]) -> SubscriptionBus | None:
        """The bus whose changes the engine tells clients. It does that in place of a
        `ListenHandler`, which is taken out, unless the handlers of this face always run.
        """
        bus: SubscriptionBus | None = getattr(handlers["on_subscriptions_listen"], "bus", None)
        if bus is None or face.current.api == 2:
            return None
        del handlers["on_subscriptions_listen"]
        return bus

    def _publish(self, cache_hints: Mapping[str, CacheHint] | None, bus: SubscriptionBus | None) -> None:
        """Set how long answers may be cached, and the bus on which the program publishes changes."""
        if cache_hints:
            from ..caching import validated

            self.cache_hints = validated(cache_hints)
        self.bus = bus

    def publish_on(self, bus: SubscriptionBus | None) -> None:
        """Have the engine notify clients of the changes that are published on a bus, as a
        `ListenHandler` would.

        Args:
            bus: The bus; `None` if clients cannot subscribe to changes.
        """
        from ..subscriptions import ListenHandler

        self.bus, self.refuses_listen = bus, bus is None
        if bus is not None:
            self.own_listen = ListenHandler(bus)
            put(self.request_handlers, LISTEN, "SubscriptionsListenRequestParams", self.own_listen)

    @property
    def masked(self) -> bool:
        """Whether clients do not see the messages of unexpected exceptions."""
        detail = self.guarding.error_detail if self.guarding is not None else None
        return (detail or self.options.get("error_detail")) == "masked"

    @property
    def runs_itself(self) -> bool:
        """Whether a program has overridden `run`."""
        return False

    def _changed(self, method: str) -> None:
        if self.provider is not None:
            self.provider.forget()
        for host in list(self.hosts):
            host.handlers_changed(method)

    def _middleware_changed(self) -> None:
        for host in list(self.hosts):
            host.middleware_changed()

    def notify(self, change: Literal["tools", "prompts", "resources", "resource"], uri: str | None = None) -> None:
        """Notify the clients that subscribed to it of a change, whatever their transport and
        revision. May be called from any thread.

        Args:
            change: What changed: the list of `"tools"`, `"prompts"` or `"resources"`, or a
                `"resource"`.
            uri: The URI of the resource that changed. Default: none, for lists.
        """
        for host in list(self.hosts):
            host.announce(change, uri)

    # What it sends about itself

    @property
    def shown_version(self) -> str:
        """The version that clients see."""
        return package_version() if self.version is None else self.version

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        """Make the description of the server that clients get when they connect: name, version,
        capabilities and so on.

        Args:
            notification_options: Which changes of its lists the server notifies clients of.
                Default: those of the server.
            experimental_capabilities: The `experimental` capabilities, by name. Default: none.
        """
        from ..models import InitializationOptions

        return InitializationOptions(
            server_name=self.name,
            server_version=self.shown_version,
            capabilities=self.get_capabilities(
                notification_options or self.notification_options, experimental_capabilities or {}
            ),
            instructions=self.instructions,
            website_url=self.website_url,
            icons=self.icons,
            title=self.title,
            description=self.description,
        )

    def get_capabilities(
        self,
        notification_options: NotificationOptions,
        experimental_capabilities: dict[str, dict[str, Any]],
    ) -> types.ServerCapabilities:
        """The capabilities that follow from the registered handlers.

        Args:
            notification_options: Which changes of its lists the server notifies clients of.
            experimental_capabilities: The `experimental` capabilities, by name.
        """
        from ... import types

        return types.ServerCapabilities.model_validate(
            self.capabilities(notification_options, experimental_capabilities)
        )

    def capabilities(self, told: NotificationOptions, experimental: dict[str, dict[str, Any]]) -> dict[str, Any]:
        """The same as `get_capabilities`, as JSON values.

        Args:
            told: Which changes of its lists the server notifies clients of.
            experimental: The `experimental` capabilities, by name.
        """
        has, tells = self._table.has, self.tells
        found: dict[str, Any] = {"experimental": experimental} if experimental or face.current.api == 1 else {}
        if has("logging/setLevel"):
            found["logging"] = {}
        if has("prompts/list"):
            found["prompts"] = {"listChanged": told.prompts_changed or tells}
        if has("resources/list"):
            found["resources"] = {"subscribe": tells, "listChanged": told.resources_changed or tells}
        if has("tools/list"):
            found["tools"] = {"listChanged": told.tools_changed or tells}
        if has("completion/complete"):
            found["completions"] = {}
        if self.extensions:
            found["extensions"] = dict(self.extensions)
        tasks = self._experimental_handlers.capability() if self._experimental_handlers is not None else None
        if tasks is not None:
            found["tasks"] = tasks
        return found

    def legacy_capabilities(self, capabilities: dict[str, Any]) -> dict[str, Any] | None:
        """The capabilities that clients up to 2025-11-25 are told instead; `None` for the same. In
        2.x they are not notified of changes that are published on a bus.

        Args:
            capabilities: The capabilities that clients of 2026-07-28 are told.
        """
        if face.current.api == 1 or not self.tells:
            return None
        told = self.notification_options
        shown = {"prompts": told.prompts_changed, "resources": told.resources_changed, "tools": told.tools_changed}
        found = {
            name: {**value, "listChanged": shown[name]} if name in shown else value
            for name, value in capabilities.items()
        }
        if "resources" in found:
            found["resources"]["subscribe"] = self._table.has("resources/subscribe")
        return found

    @property
    def task_support(self) -> TaskSupport | None:
        """What the server runs tasks of 2025-11-25 with; `None` if they are not enabled."""
        return None if self._experimental_handlers is None else self._experimental_handlers.task_support

    @property
    def tells(self) -> bool:
        """Whether clients of 2026-07-28 can subscribe to changes."""
        return self.bus is not None or self._table.has(LISTEN)

    @property
    def request_context(self) -> RequestContext[ServerSession, LifespanResultT, RequestT]:
        """The context of the request being answered.

        Raises:
            LookupError: No request is being answered.
        """
        return request_ctx.get()

    # Running

    async def run(
        self,
        read_stream: MemoryObjectReceiveStream[SessionMessage | Exception],
        write_stream: MemoryObjectSendStream[SessionMessage],
        initialization_options: InitializationOptions,
        raise_exceptions: bool = False,
        stateless: bool = False,
    ) -> None:
        """Serve one connection until its input ends.

        With the streams of `stdio_server` the engine itself reads and writes; messages of any
        other pair are carried between the streams and the engine.

        Args:
            read_stream: The stream that messages from the client are read from.
            write_stream: The stream that messages to the client are written to.
            initialization_options: The description of the server, as
                `create_initialization_options` makes it.
            raise_exceptions: Whether an exception that a handler raises ends the run and is raised
                here, for tests. Default: no, it becomes an error response.
            stateless: Whether requests are answered that no handshake came before. Default: no.
        """
        from .._run import serve

        await serve(self, read_stream, write_stream, initialization_options, raise_exceptions, stateless)


async def _pong(_: Any) -> Any:
    return wrapped("EmptyResult", {})
