"""What a server sends to a client on its own: hooks, callbacks and the message handler.

Owns: which of them answers or handles it, and with which model. Must not know: connections.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Coroutine
from contextvars import Context
from typing import TYPE_CHECKING, Any, cast

from .._engine import face
from ..shared.exceptions import McpError
from ..shared.experimental import warn_of_tasks
from ..shared.session import RequestResponder
from ._callbacks import (
    default_logging_callback,
    default_message_handler,
)
from .experimental.task_handlers import ABOUT_TASKS, AS_TASKS, ExperimentalTaskHandlers

if TYPE_CHECKING:
    from .._engine.connection import Connection
    from .._engine.driver import Driver
    from ..types import ClientResult, ServerNotification, ServerRequest
    from ._extensions import Binding, Extensions

logger = logging.getLogger("client")


async def _bound(binding: Binding, params: Any) -> None:
    try:
        await binding.handler(binding.params_type.model_validate(params or {}))
    except Exception:
        logger.exception("The handler of %s failed", binding.method)


class Background:
    """Starts tasks that nothing waits for."""

    def __init__(self, driver: Driver, context: Context) -> None:
        self._driver = driver
        self._context = context

    def start_soon(self, work: Callable[..., Coroutine[Any, Any, Any]], *args: Any, name: object = None) -> None:
        """Start a task.

        Args:
            work: The function that makes it.
            *args: Its arguments.
            name: A name for the task, which is not used.
        """
        del name
        self._driver.background(work(*args), self._context.copy())


class Incoming:
    """The part of `ClientSession` that handles messages from the server."""

    if TYPE_CHECKING:
        _hooked: bool
        _in_flight: dict[Any, RequestResponder[ServerRequest, ClientResult]]
        _sampling_callback: Callable[..., Awaitable[Any]]
        _elicitation_callback: Callable[..., Awaitable[Any]]
        _list_roots_callback: Callable[..., Awaitable[Any]]
        _logging_callback: Callable[..., Awaitable[None]]
        _message_handler: Callable[..., Awaitable[None]]
        _extensions: Extensions
        _models: Any

        def _opened(self) -> Connection: ...

    # What answers requests about tasks of 2025-11-25; `None` where the engine refuses them.
    _task_handlers: ExperimentalTaskHandlers | None = None

    def _use_task_handlers(self, handlers: ExperimentalTaskHandlers | None) -> None:
        if handlers is not None:
            warn_of_tasks()
            self._task_handlers = handlers
        elif face.current.asks_callbacks:
            self._task_handlers = ExperimentalTaskHandlers()

    @property
    def _task_group(self) -> Background:
        """Where programs start what outlives a callback, under the official name."""
        connection = self._opened()
        return Background(connection.driver, connection.context)

    def wants(self, method: str) -> bool:
        """Whether anything handles notifications of this method.

        Args:
            method: The method.
        """
        if self._hooked or method in self._extensions.bindings or self._message_handler is not default_message_handler:
            return True
        return method == "notifications/message" and self._logging_callback is not default_logging_callback

    async def answer_request(self, number: Any, method: str, params: Any, key: str | None = None) -> None:
        """Have hooks, callbacks or the message handler answer a request of the server. `key` is
        what it is called among the questions of an answer.

        Args:
            number: The request's id.
            method: The method.
            params: The params.
            key: What the request is called among the questions of an answer. Default: nothing.
        """
        m = self._models

        message = {"method": method} if params is None else {"method": method, "params": params}
        try:
            request = m.ServerRequest.model_validate(message)
        except ValueError as error:
            logger.warning("Failed to validate request: %s", error)
            raise McpError(-32602, "Invalid request parameters", "") from None
        meta: Any = getattr(request.root.params, "meta", None)
        responder: RequestResponder[ServerRequest, ClientResult] = RequestResponder(
            number, meta, request, cast("Any", self), self._responded
        )
        responder.key = key
        self._in_flight[number] = responder
        try:
            await self._received_request(responder)
            if responder.in_flight:
                await self._handle_incoming(responder)
        except BaseException:
            # It is answered with the error, or was cancelled: nobody answers it later.
            self._in_flight.pop(number, None)
            raise

    def _responded(self, responder: RequestResponder[ServerRequest, ClientResult]) -> None:
        self._in_flight.pop(responder.request_id, None)

    async def take_notification(self, method: str, params: Any) -> None:
        """Pass a notification to hooks, callback and message handler.

        Args:
            method: The method.
            params: The params.
        """
        m = self._models

        binding = None if self._is_known(method) else self._extensions.bindings.get(method)
        if binding is not None:
            await _bound(binding, params)
            return
        message = {"method": method} if params is None else {"method": method, "params": params}
        try:
            notification = m.ServerNotification.model_validate(message)
        except ValueError as error:
            logger.warning("Failed to validate notification: %s", error)
            return
        await self._received_notification(notification)
        await self._handle_incoming(notification)

    def _is_known(self, method: str) -> bool:
        """Whether notifications of a method are never an extension's, because the protocol has
        the method itself.
        """
        del method
        return False

    async def take_fault(self, error: Exception) -> None:
        """Pass an error that belongs to no request to the message handler.

        Args:
            error: The error.
        """
        await self._handle_incoming(error)

    async def _received_request(self, responder: RequestResponder[ServerRequest, ClientResult]) -> None:
        from ..shared.context import RequestContext
        m = self._models

        context: RequestContext[Any, Any] = RequestContext(
            request_id=responder.request_id if responder.key is None else responder.key,
            meta=responder.request_meta,
            session=cast("Any", self),
            lifespan_context=None,
        )
        request = responder.request.root
        tasks = self._task_handlers
        with responder:
            if request.method in ABOUT_TASKS and tasks is not None:
                await tasks.handle_request(context, responder)
                return
            if request.method in AS_TASKS and tasks is not None and getattr(request.params, "task", None) is not None:
                answer: Any = await tasks.begin(context, request)
            elif isinstance(request, m.CreateMessageRequest):
                answer = await self._sampling_callback(context, request.params)
            elif isinstance(request, m.ElicitRequest):
                answer = await self._elicitation_callback(context, request.params)
            elif isinstance(request, m.ListRootsRequest):
                answer = await self._list_roots_callback(context)
            else:
                return
            await responder.respond(answer if isinstance(answer, m.ErrorData) else m.ClientResult(answer))

    async def _received_notification(self, notification: ServerNotification) -> None:
        m = self._models

        if isinstance(notification.root, m.LoggingMessageNotification):
            await self._logging_callback(notification.root.params)

    async def _handle_incoming(
        self, req: RequestResponder[ServerRequest, ClientResult] | ServerNotification | Exception
    ) -> None:
        await self._message_handler(req)
