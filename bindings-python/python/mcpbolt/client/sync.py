"""`SyncClient`: a client for programs without a loop, or with one that must not wait.

Owns: the thread its calls run on, one for all clients of the process, started with the
first. Must not know: how a server is reached; a `Client` does.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import os
import threading
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

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

__all__ = ["SyncClient"]

T = TypeVar("T")


class _Loop:
    """A thread with a loop, for as long as the process lives."""

    def __init__(self) -> None:
        self.pid = os.getpid()
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, name="mcpbolt-sync-client", daemon=True)
        self.thread.start()


_lock = threading.Lock()
_loop: _Loop | None = None


def _the_loop() -> _Loop:
    global _loop
    with _lock:
        if _loop is None or _loop.pid != os.getpid():
            _loop = _Loop()
        return _loop


class SyncClient:
    """A client whose calls block the thread that makes them, and no other.

    Works where no loop runs, inside one that does (it blocks it, as any call does), and
    from many threads at once. Callbacks run on a thread of its own and may be plain
    functions.

    Example:
        ```python
        with SyncClient("http://localhost:8000/mcp") as client:
            print(client.call_tool("add", {"a": 1, "b": 2}).content)
        ```

    Args:
        server: As for `Client`.
        options: As for `Client`, by name.
    """

    def __init__(self, server: Any, **options: Any) -> None:
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
        """Reach the server and shake hands. See `Client.connect`."""
        self._opened = _the_loop()
        self._wait(self._client.connect())
        return self

    def close(self) -> None:
        """End the connection. Idempotent, bounded."""
        if self._opened is not None and self._opened.pid == os.getpid():
            self._wait(self._client.close())
        self._opened = None

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        opened = self._opened
        if opened is None or opened.pid != os.getpid():
            work.close()
            raise RuntimeError("SyncClient is not connected: use it in a with statement, or call connect()")
        if threading.current_thread() is opened.thread:
            work.close()
            raise RuntimeError("a callback must not wait for its own client: make it async and use Client")
        future: concurrent.futures.Future[T] = asyncio.run_coroutine_threadsafe(work, opened.loop)
        try:
            return future.result()
        except BaseException:
            # Ctrl-C while waiting gives up on the call, and the server is told.
            future.cancel()
            raise

    @property
    def protocol_version(self) -> str:
        """The protocol revision that was agreed on."""
        return self._client.protocol_version

    @property
    def server_info(self) -> Implementation | None:
        """Name and version of the server, if it gave them."""
        return self._client.server_info

    @property
    def server_capabilities(self) -> ServerCapabilities:
        """The capabilities the server declared."""
        return self._client.server_capabilities

    @property
    def instructions(self) -> str | None:
        """The server's instructions for the model."""
        return self._client.instructions

    def send_ping(self) -> None:
        """Send a ping and wait for the server's answer."""
        self._wait(self._client.send_ping())

    def set_logging_level(self, level: LoggingLevel) -> None:
        """Say which log messages are wanted.

        .. deprecated:: 2026-07-28
           logging, SEP-2577; earliest removal 2027-07-28. Write to stderr on stdio; use
           OpenTelemetry elsewhere.
        """
        self._wait(self._client.set_logging_level(level))

    def list_tools(self, *, cursor: str | None = None, fresh: bool = False) -> ListToolsResult:
        """List the server's tools, one page at a time."""
        return self._wait(self._client.list_tools(cursor=cursor, fresh=fresh))

    def list_resources(self, *, cursor: str | None = None, fresh: bool = False) -> ListResourcesResult:
        """List the server's resources, one page at a time."""
        return self._wait(self._client.list_resources(cursor=cursor, fresh=fresh))

    def list_resource_templates(
        self, *, cursor: str | None = None, fresh: bool = False
    ) -> ListResourceTemplatesResult:
        """List the server's resource templates, one page at a time."""
        return self._wait(self._client.list_resource_templates(cursor=cursor, fresh=fresh))

    def list_prompts(self, *, cursor: str | None = None, fresh: bool = False) -> ListPromptsResult:
        """List the server's prompts, one page at a time."""
        return self._wait(self._client.list_prompts(cursor=cursor, fresh=fresh))

    def read_resource(self, uri: AnyUrl | str) -> ReadResourceResult:
        """Read the contents of a resource."""
        return self._wait(self._client.read_resource(uri))

    def subscribe_resource(self, uri: AnyUrl | str) -> None:
        """Ask to be told when a resource changes."""
        self._wait(self._client.subscribe_resource(uri))

    def unsubscribe_resource(self, uri: AnyUrl | str) -> None:
        """End the subscription to a resource."""
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
        """Call a tool. See `ClientSession.call_tool`."""
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
        """Get a prompt with its arguments filled in."""
        return self._wait(self._client.get_prompt(name, arguments))

    def complete(
        self,
        ref: ResourceTemplateReference | PromptReference,
        argument: dict[str, str],
        context_arguments: dict[str, str] | None = None,
    ) -> CompleteResult:
        """Get completions for an argument of a prompt or a resource template."""
        return self._wait(self._client.complete(ref, argument, context_arguments))

    def send_roots_list_changed(self) -> None:
        """Tell the server that the roots are others now.

        .. deprecated:: 2026-07-28
           roots, SEP-2577; earliest removal 2027-07-28. Pass folders and files as tool parameters,
           resource URIs or settings of the server.
        """
        self._wait(self._client.send_roots_list_changed())


def _as_async(function: Callable[..., Any]) -> Callable[..., Coroutine[Any, Any, Any]]:
    """A callback as the session wants it; a plain function runs on a thread."""
    import functools
    import inspect

    if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None)):
        return function

    @functools.wraps(function)
    async def call(*arguments: Any, **named: Any) -> Any:
        return await asyncio.to_thread(function, *arguments, **named)

    return call
