"""Handlers by method: functions of a context and params, as 2.x has them.

Owns: their registration on a server. Must not know: how requests come and go.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from ..._engine import face
from ..._engine.context import request_ctx
from ..._engine.methods import INITIALIZED
from ..._engine.protocol import METHODS
from ..._generics import TypeVar as DefaultTypeVar
from ..._probed import probed

if TYPE_CHECKING:
    from pydantic import BaseModel

    from ..context import HandlerResult, ServerRequestContext
    from ._entry import HandlerEntry
    from ._table import HandlerTable

LifespanResultT = DefaultTypeVar("LifespanResultT", default=Any)
ParamsT = TypeVar("ParamsT", bound="BaseModel")

# The method behind each keyword of the constructor, such as `on_list_tools`.
_KEYWORDS = {f"on_{row.verb}": name for name, row in METHODS.items() if row.sent_by != "server"}


class MethodHandler:
    """A function of a context and params, in the table of handlers."""

    def __init__(
        self,
        call: Callable[[Any, Any], Awaitable[Any]],
        params_type: type[BaseModel] | Callable[[], type[BaseModel]] | str,
    ) -> None:
        self.call = call
        self.entry: HandlerEntry[Any] | None = None
        # A name or a function where the model is not to be loaded yet.
        self._params = params_type

    @property
    def params_type(self) -> type[BaseModel]:
        """The model of the params."""
        if isinstance(self._params, str):
            from ... import types

            self._params = cast("type[BaseModel]", getattr(types, self._params))
        elif not isinstance(self._params, type):
            self._params = self._params()
        return self._params

    async def __call__(self, request: Any) -> Any:
        """Answer a request that is given as a model with a `ServerResult`, for programs that call
        the functions in `request_handlers`.
        """
        from ..context import context_of
        from ._handlers import wrapped_model

        result = await self.call(context_of(request_ctx.get()), request.params)
        return wrapped_model(result)


class ByMethod(Generic[LifespanResultT]):
    """The part of `Server` that takes handlers by method."""

    if TYPE_CHECKING:
        request_handlers: Any
        notification_handlers: Any

    @property
    def awaits_initialized(self) -> bool:
        """Whether a handler of `notifications/initialized` is registered. For clients of 2026-07-28,
        which do not send it, the handler is called with the first request of a connection.
        """
        return _table(self.notification_handlers).has(INITIALIZED)

    def _register(self, given: Mapping[str, Any]) -> None:
        for keyword, handler in given.items():
            if handler is None:
                continue
            method = _KEYWORDS[keyword]
            row = METHODS[method]
            handlers = self.request_handlers if row.is_request else self.notification_handlers
            _table(handlers).put(method, MethodHandler(handler, row.params))

    @probed
    def add_request_handler(
        self,
        method: str,
        params_type: type[ParamsT],
        handler: Callable[[ServerRequestContext[LifespanResultT, Any], ParamsT], Awaitable[HandlerResult]],
    ) -> None:
        """Register the handler of a request, for a method of the protocol or one of the program's
        own. It replaces an earlier handler of the method.

        Args:
            method: The name of the method, such as `tools/list`.
            params_type: The pydantic model of the params; absent params count as an empty object.
            handler: An async function of a context and the params that returns the result.
        """
        if method == "initialize" and face.current.api == 2:
            raise ValueError(
                "'initialize' is handled by the server runner and cannot be overridden; "
                "use Server.middleware to observe or wrap initialization"
            )
        put(self.request_handlers, method, params_type, handler)

    @probed
    def add_notification_handler(
        self,
        method: str,
        params_type: type[ParamsT],
        handler: Callable[[ServerRequestContext[LifespanResultT, Any], ParamsT], Awaitable[None]],
    ) -> None:
        """Register the handler of a notification. It replaces an earlier handler of the method.

        Args:
            method: The name of the method, such as `notifications/progress`.
            params_type: The pydantic model of the params.
            handler: An async function of a context and the params.
        """
        put(self.notification_handlers, method, params_type, handler)

    @probed
    def get_request_handler(self, method: str) -> HandlerEntry[LifespanResultT] | None:
        """The handler of a request, however it was registered; `None` without one.

        Args:
            method: The name of the method.
        """
        return entry_of(self.request_handlers, method)

    @probed
    def get_notification_handler(self, method: str) -> HandlerEntry[LifespanResultT] | None:
        """The handler of a notification, however it was registered; `None` without one.

        Args:
            method: The name of the method.
        """
        return entry_of(self.notification_handlers, method)


def _table(mapping: Any) -> HandlerTable:
    return cast("HandlerTable", mapping)


def put(handlers: Any, method: str, params_type: type[Any] | str, call: Callable[[Any, Any], Awaitable[Any]]) -> None:
    """Register a handler in one of a server's tables of handlers."""
    _table(handlers).put(method, MethodHandler(call, params_type))


def entry_of(handlers: Any, method: str) -> HandlerEntry[Any] | None:
    """The handler of a method, from one of a server's tables of handlers."""
    from ._entry import HandlerEntry

    table = _table(handlers)
    found = table.of(method)
    if found is None or getattr(found, "builtin", False):
        return None
    if isinstance(found, MethodHandler):
        if found.entry is None:
            # One and the same, as long as the handler is registered.
            found.entry = HandlerEntry(found.params_type, found.call)
        return found.entry
    from ... import types

    row = METHODS.get(method)
    params: Any = getattr(types, row.params) if row else types.RequestParams
    handler = found

    async def call(_: ServerRequestContext[Any, Any], given: Any) -> Any:
        request = table.class_of(method).model_construct(method=method, params=given)
        result = await handler(request)
        return getattr(result, "root", result)

    return HandlerEntry(params, call)
