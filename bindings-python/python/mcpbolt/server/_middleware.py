"""What wraps the handlers of a server: middleware, and spans if tracing is on.

Owns: the chain and calling it. Must not know: the engine.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from .._engine.json import JSON_TEXT

if TYPE_CHECKING:
    from .context import CallNext, HandlerResult, ServerMiddleware, ServerRequestContext

_WRITES = ("append", "extend", "insert", "remove", "pop", "clear", "__setitem__", "__delitem__", "__iadd__")


class Chain(list["ServerMiddleware"]):
    """A list of middleware, outermost first. It reports changes, since a server with
    middleware answers all requests in Python.
    """

    def __init__(self, changed: Callable[[], None], items: Iterable[ServerMiddleware] = ()) -> None:
        super().__init__(items)
        self.changed = changed


def _telling(name: str) -> Any:
    write = getattr(list, name)

    def method(self: Chain, *args: Any) -> Any:
        try:
            return write(self, *args)
        finally:
            self.changed()

    method.__name__, method.__doc__ = name, write.__doc__
    return method


for _name in _WRITES:
    setattr(Chain, _name, _telling(_name))


def run_through(
    chain: Iterable[ServerMiddleware], context: ServerRequestContext[Any, Any], inner: CallNext
) -> Awaitable[HandlerResult]:
    """Pass a message through the middleware, outermost first."""
    call = inner
    for middleware in reversed(list(chain)):
        call = cast("CallNext", partial(_one, middleware, call))
    return call(context)


def _one(middleware: ServerMiddleware, call: CallNext, context: ServerRequestContext[Any, Any]) -> Any:
    return middleware(context, call)


def values_of(answer: Any) -> HandlerResult:
    """An answer as middleware sees it: JSON text is parsed."""
    values: HandlerResult = json.loads(str(answer)) if isinstance(answer, JSON_TEXT) else answer
    return values
