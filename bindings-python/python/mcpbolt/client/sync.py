"""`SyncClient`: a client for programs that are not async, or cannot await where they call it.

Owns: the background thread that calls run on, one for all clients of the process, started with
the first. Must not know: how a server is reached; `Client` does that.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from .._engine import forks
from .client import Client

if TYPE_CHECKING:
    from pydantic import AnyUrl
    from typing_extensions import Self

    from ..shared.session import ProgressFnT
    from ..types import (
        CallToolResult,
        CompleteResult,
        GetPromptResult,
        Implementation,
        ListPromptsResult,
        ListResourcesResult,
        ListResourceTemplatesResult,
        ListToolsResult,
        LoggingLevel,
        PromptReference,
        ReadResourceResult,
        ResourceTemplateReference,
        ServerCapabilities,
    )
    from ._ways import Source

__all__ = ["SyncClient"]

T = TypeVar("T")


class _Loop:
    """A thread with an asyncio loop that runs as long as the process."""

    def __init__(self) -> None:
        self.pid = forks.process
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, name="mcpbolt-sync-client", daemon=True)
        self.thread.start()


_lock = threading.Lock()
_loop: _Loop | None = None


def _the_loop() -> _Loop:
    global _loop
    with _lock:
        if _loop is None or _loop.pid != forks.process:
            _loop = _Loop()
        return _loop


class SyncClient:
    """A client whose methods block the calling thread until the answer is there.

    It works without a running loop, inside one (which it blocks meanwhile), and from several
    threads at once. Callbacks run on a separate thread and may be plain functions.

    Example:
        ```python
        with SyncClient("http://localhost:8000/mcp") as client:
            print(client.call_tool("add", {"a": 1, "b": 2}).content)
        ```

    Args:
        server: The server to reach, as for `Client`: a URL, a command, a server object and so on.
        options: The other attributes of `Client`, by name, such as `read_timeout_seconds`.
    """

    def __init__(self, server: Source, **options: Any) -> None:
        for name, value in options.items():
            if name.endswith(("_callback", "_handler")) and value is not None:
                options[name] = _as_async(value)
        self._client = Client(server, **options)
        self._opened: _Loop | None = None

    def __enter__(self) -> Self:
        return self.connect()

    def __exit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def connect(self) -> Self:
        """Connect to the server, with the errors of `Client.connect`. Returns this client."""
        self._opened = _the_loop()
        self._wait(self._client.connect())
        return self

    def close(self) -> None:
        """Close the connection; a server that this client started is ended. May be called more than
        once.
        """
        if self._opened is not None and self._opened.pid == forks.process:
            self._wait(self._client.close())
        self._opened = None

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        opened = self._opened
        if opened is None or opened.pid != forks.process:
            work.close()
            raise RuntimeError("SyncClient is not connected: use it in a with statement, or call connect()")
        if threading.current_thread() is opened.thread:
            work.close()
            raise RuntimeError("a callback must not wait for its own client: make it async and use Client")
        future: concurrent.futures.Future[T] = asyncio.run_coroutine_threadsafe(work, opened.loop)
        try:
            return future.result()
        except BaseException:
            # Ctrl-C while waiting cancels the call, and the server is notified.
            future.cancel()
            raise

    @property
    def protocol_version(self) -> str:
        """The protocol revision that both sides agreed on."""
        return self._client.protocol_version

    @property
    def server_info(self) -> Implementation | None:
        """Name and version of the server; `None` if it did not send them."""
        return self._client.server_info

    @property
    def server_capabilities(self) -> ServerCapabilities:
        """The capabilities that the server declared."""
        return self._client.server_capabilities

    @property
    def instructions(self) -> str | None:
        """The server's instructions for a language model; `None` if it has none."""
        return self._client.instructions

    def send_ping(self) -> None:
        """Check that the server responds. Only up to 2025-11-25, since 2026-07-28 has no `ping`."""
        self._wait(self._client.send_ping())

    def set_logging_level(self, level: LoggingLevel) -> None:
        """Set the lowest level of log messages that the server should send.

        Args:
            level: The lowest level of messages to send, such as `warning`.

        .. deprecated:: 2026-07-28
           logging, SEP-2577; earliest removal 2027-07-28. Write to stderr on stdio; use
           OpenTelemetry elsewhere.
        """
        self._wait(self._client.set_logging_level(level))

    def list_tools(self, *, cursor: str | None = None, fresh: bool = False) -> ListToolsResult:
        """List one page of the server's tools.

        Args:
            cursor: Where the page begins: the `nextCursor` of the page before. Default: the first
                page.
            fresh: Whether to ask the server even if a cached result is still valid. Default: no.
        """
        return self._wait(self._client.list_tools(cursor=cursor, fresh=fresh))

    def list_resources(self, *, cursor: str | None = None, fresh: bool = False) -> ListResourcesResult:
        """List one page of the server's resources.

        Args:
            cursor: Where the page begins: the `nextCursor` of the page before. Default: the first
                page.
            fresh: Whether to ask the server even if a cached result is still valid. Default: no.
        """
        return self._wait(self._client.list_resources(cursor=cursor, fresh=fresh))

    def list_resource_templates(
        self, *, cursor: str | None = None, fresh: bool = False
    ) -> ListResourceTemplatesResult:
        """List one page of the server's resource templates.

        Args:
            cursor: Where the page begins: the `nextCursor` of the page before. Default: the first
                page.
            fresh: Whether to ask the server even if a cached result is still valid. Default: no.
        """
        return self._wait(self._client.list_resource_templates(cursor=cursor, fresh=fresh))

    def list_prompts(self, *, cursor: str | None = None, fresh: bool = False) -> ListPromptsResult:
        """List one page of the server's prompts.

        Args:
            cursor: Where the page begins: the `nextCursor` of the page before. Default: the first
                page.
            fresh: Whether to ask the server even if a cached result is still valid. Default: no.
        """
        return self._wait(self._client.list_prompts(cursor=cursor, fresh=fresh))

    def read_resource(self, uri: AnyUrl | str) -> ReadResourceResult:
        """Read the contents of a resource.

        Args:
            uri: The URI of the resource.
        """
        return self._wait(self._client.read_resource(uri))

    def subscribe_resource(self, uri: AnyUrl | str) -> None:
        """Ask the server to send a notification whenever a resource changes. The `message_handler` gets
        them.

        Args:
            uri: The URI of the resource.
        """
        self._wait(self._client.subscribe_resource(uri))

    def unsubscribe_resource(self, uri: AnyUrl | str) -> None:
        """End a subscription made with `subscribe_resource`.

        Args:
            uri: The URI of the resource.
        """
        self._wait(self._client.unsubscribe_resource(uri))

    def call_tool(
        self,
        name: str,
        arguments: dict[str, Any] | None = None,
        *,
        read_timeout_seconds: float | None = None,
        progress_callback: Callable[[float, float | None, str | None], Any] | ProgressFnT | None = None,
        meta: dict[str, Any] | None = None,
    ) -> CallToolResult:
        """Call a tool and wait for its result, with the errors of `Client.call_tool`. If the tool
        itself fails, the result has `isError`.

        Args:
            name: The tool's name.
            arguments: The arguments by name. Default: none.
            read_timeout_seconds: Longest wait for the answer, in seconds. Default: that of the
                client.
            progress_callback: Function, plain or async, that is called with `progress`, `total` and
                `message` of each progress report. Default: no reports are asked for.
            meta: The `_meta` of the request. Default: none.
        """
        progress: Any = None if progress_callback is None else _as_async(progress_callback)
        call = self._client.call_tool(
            name,
            arguments,
            read_timeout_seconds=read_timeout_seconds,
            progress_callback=progress,
            meta=meta,
        )
        return self._wait(call)

    def get_prompt(self, name: str, arguments: dict[str, str] | None = None) -> GetPromptResult:
        """Get a prompt with its arguments filled in, as messages for a language model.

        Args:
            name: The prompt's name.
            arguments: The arguments by name, as texts. Default: none.
        """
        return self._wait(self._client.get_prompt(name, arguments))

    def complete(
        self,
        ref: ResourceTemplateReference | PromptReference,
        argument: dict[str, str],
        context_arguments: dict[str, str] | None = None,
    ) -> CompleteResult:
        """Ask the server for values that complete an argument of a prompt or of a resource
        template.

        Args:
            ref: The prompt or resource template that the argument belongs to.
            argument: The argument to complete: a dictionary with its `name`, and the text so far as
                `value`.
            context_arguments: The values of other arguments that are already known, by name.
                Default: none.
        """
        return self._wait(self._client.complete(ref, argument, context_arguments))

    def send_roots_list_changed(self) -> None:
        """Notify the server that the list of roots changed.

        .. deprecated:: 2026-07-28
           roots, SEP-2577; earliest removal 2027-07-28. Pass folders and files as tool parameters,
           resource URIs or settings of the server.
        """
        self._wait(self._client.send_roots_list_changed())


def _as_async(function: Callable[..., Any]) -> Callable[..., Coroutine[Any, Any, Any]]:
    """Wrap a callback as a coroutine function. A plain function runs on a thread; what it returns is
    awaited on the loop if it can be.
    """
    import functools
    import inspect

    if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None)):
        return function

    @functools.wraps(function)
    async def call(*arguments: Any, **named: Any) -> Any:
        found = await asyncio.to_thread(function, *arguments, **named)
        return await found if inspect.isawaitable(found) else found

    return call
