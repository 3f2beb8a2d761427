"""What a `Client` asks and tells its server, beside what it reads.

Owns: arguments of the client, as those of its session. Must not know: how a client connects.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from .._naming import part_of
from ._reading import Reading

if TYPE_CHECKING:
    from ..shared.session import ProgressFnT
    from ..types import (
        CallToolResult,
        CompleteResult,
        EmptyResult,
        GetPromptResult,
        LoggingLevel,
        PromptReference,
        ResourceTemplateReference,
    )


@part_of("Client")
class Calling(Reading):
    """The part of `Client` that calls."""

    async def send_ping(self) -> EmptyResult:
        """Check that the server responds. Only up to 2025-11-25, since 2026-07-28 has no `ping`."""
        return await self.session.send_ping()

    async def send_progress_notification(
        self, progress_token: str | int, progress: float, total: float | None = None, message: str | None = None
    ) -> None:
        """Report progress on a request that the server sent.

        Args:
            progress_token: The token from the `_meta` of that request.
            progress: How much is done, in any unit; must increase with each report.
            total: The value of `progress` when the work is complete. Default: not known.
            message: A text that describes the current step, for the user. Default: none.
        """
        await self.session.send_progress_notification(progress_token, progress, total, message)

    async def set_logging_level(self, level: LoggingLevel) -> EmptyResult:
        """Set the lowest level of log messages that the server should send.

        Args:
            level: The lowest level of messages to send, such as `warning`.

        .. deprecated:: 2026-07-28
           logging, SEP-2577; earliest removal 2027-07-28. Write to stderr on stdio; use
           OpenTelemetry elsewhere.
        """
        return await self.session.set_logging_level(level)

    async def call_tool(
        self,
        name: str,
        arguments: dict[str, Any] | None = None,
        *,
        read_timeout_seconds: float | timedelta | None = None,
        progress_callback: ProgressFnT | None = None,
        meta: dict[str, Any] | None = None,
    ) -> CallToolResult:
        """Call a tool. If the tool itself fails, the result has `isError`.

        Args:
            name: The tool's name.
            arguments: The arguments by name. Default: none.
            read_timeout_seconds: Longest wait for the answer, in seconds or as `timedelta`.
                Default: that of the client.
            progress_callback: Async function that is called with `progress`, `total` and `message`
                of each progress report. Default: no reports are asked for.
            meta: The `_meta` of the request. Default: none.

        Raises:
            McpError: The server answered with an error, for example because it does not know the
                tool, or did not answer in time (`TimeoutError`).
            RuntimeError: The structured content does not fit the tool's output schema.
        """
        limit = read_timeout_seconds
        if isinstance(limit, (int, float)):
            limit = timedelta(seconds=limit)
        return await self.session.call_tool(name, arguments, limit, progress_callback, meta=meta)

    async def get_prompt(self, name: str, arguments: dict[str, str] | None = None) -> GetPromptResult:
        """Get a prompt with its arguments filled in, as messages for a language model.

        Args:
            name: The prompt's name.
            arguments: The arguments by name, as texts. Default: none.
        """
        return await self.session.get_prompt(name, arguments)

    async def complete(
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
        return await self.session.complete(ref, argument, context_arguments)

    async def send_roots_list_changed(self) -> None:
        """Notify the server that the list of roots changed.

        .. deprecated:: 2026-07-28
           roots, SEP-2577; earliest removal 2027-07-28. Pass folders and files as tool parameters,
           resource URIs or settings of the server.
        """
        await self.session.send_roots_list_changed()
