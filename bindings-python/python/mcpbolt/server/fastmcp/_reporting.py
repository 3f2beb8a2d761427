"""What a function of a 1.x server tells clients while it answers.

Owns: this part of `Context`. Must not know: the high-level server's type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from ..._common.context import BaseContext

if TYPE_CHECKING:
    from pydantic import AnyUrl


class Reporting(BaseContext):
    """The part of `Context` that reports to clients."""

    async def notify_tools_changed(self) -> None:
        """Notify all clients that want to know that the list of tools changed.

        Example:
            ```python
            @mcp.tool()
            async def enable(name: str, ctx: Context) -> None:
                mcp.add_tool(lambda: "done", name=name)
                await ctx.notify_tools_changed()
            ```
        """
        self._server.notify_tools_changed()

    async def notify_prompts_changed(self) -> None:
        """Notify all clients that want to know that the list of prompts changed.

        Example:
            ```python
            @mcp.tool()
            async def teach(name: str, ctx: Context) -> None:
                mcp.prompt(name)(lambda: "Be brief.")
                await ctx.notify_prompts_changed()
            ```
        """
        self._server.notify_prompts_changed()

    async def notify_resources_changed(self) -> None:
        """Notify all clients that want to know that the list of resources changed.

        Example:
            ```python
            @mcp.tool()
            async def publish(name: str, ctx: Context) -> None:
                mcp.resource(f"note://{name}", name=name)(lambda: "a note")
                await ctx.notify_resources_changed()
            ```
        """
        self._server.notify_resources_changed()

    async def notify_resource_updated(self, uri: str | AnyUrl) -> None:
        """Notify all clients that subscribed to a resource that it changed.

        Args:
            uri: The URI of the resource.

        Example:
            ```python
            @mcp.tool()
            async def save(text: str, ctx: Context) -> None:
                await ctx.notify_resource_updated("note://today")
            ```
        """
        self._server.notify_resource_updated(uri)

    async def report_progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """Report progress, if the client asked for it. Returns when the report is queued.

        Args:
            progress: How much is done, in any unit; must increase with each report.
            total: The value of `progress` when the work is complete. Default: not known.
            message: A text that describes the current step, for the user. Default: none.

        Example:
            ```python
            @mcp.tool()
            async def index(paths: list[str], ctx: Context) -> int:
                for done, path in enumerate(paths, 1):
                    await ctx.report_progress(done, len(paths), path)
                return len(paths)
            ```
        """
        meta = self.request_context.meta
        token = meta.progressToken if meta else None
        if token is None:
            return
        await self.session.send_progress_notification(
            progress_token=token,
            progress=progress,
            total=total,
            message=message,
            related_request_id=self.request_id,
        )

    async def log(
        self,
        level: Literal["debug", "info", "warning", "error"],
        message: str,
        *,
        logger_name: str | None = None,
    ) -> None:
        """Send a log message to the client.

        Args:
            level: The severity: `debug`, `info`, `warning` or `error`.
            message: The text of the message.
            logger_name: The name of the logger, such as the part of the server that the message is
                from. Default: none.

        Example:
            ```python
            @mcp.tool()
            async def convert(path: str, ctx: Context) -> str:
                await ctx.log("info", f"converting {path}", logger_name="converter")
                return path + ".pdf"
            ```

        .. deprecated:: 2026-07-28
           logging, SEP-2577; earliest removal 2027-07-28. Write to stderr on stdio; use
           OpenTelemetry elsewhere.
        """
        await self.session.send_log_message(
            level=level, data=message, logger=logger_name, related_request_id=self.request_id
        )

    async def debug(self, message: str, **extra: Any) -> None:
        """Send the client a log message of level `debug`. It is dropped unless the client asked for
        this level.

        Args:
            message: The text of the message.
            **extra: `logger_name`, such as the part of the server that the message is from.
                Default: none.

        Example:
            ```python
            @mcp.tool()
            async def count(text: str, ctx: Context) -> int:
                await ctx.debug(f"{len(text)} characters", logger_name="counter")
                return len(text.split())
            ```

        .. deprecated:: 2026-07-28
           logging, SEP-2577; earliest removal 2027-07-28. Write to stderr on stdio; use
           OpenTelemetry elsewhere.
        """
        await self.log("debug", message, **extra)

    async def info(self, message: str, **extra: Any) -> None:
        """Send the client a log message of level `info`. It is dropped if the client asked only for
        higher levels.

        Args:
            message: The text of the message.
            **extra: `logger_name`, such as the part of the server that the message is from.
                Default: none.

        Example:
            ```python
            @mcp.tool()
            async def convert(path: str, ctx: Context) -> str:
                await ctx.info(f"converting {path}")
                return path + ".pdf"
            ```

        .. deprecated:: 2026-07-28
           logging, SEP-2577; earliest removal 2027-07-28. Write to stderr on stdio; use
           OpenTelemetry elsewhere.
        """
        await self.log("info", message, **extra)

    async def warning(self, message: str, **extra: Any) -> None:
        """Send the client a log message of level `warning`. It is dropped if the client asked only
        for higher levels.

        Args:
            message: The text of the message.
            **extra: `logger_name`, such as the part of the server that the message is from.
                Default: none.

        Example:
            ```python
            @mcp.tool()
            async def fetch(url: str, ctx: Context) -> str:
                if not url.startswith("https:"):
                    await ctx.warning("the connection is not encrypted")
                return url
            ```

        .. deprecated:: 2026-07-28
           logging, SEP-2577; earliest removal 2027-07-28. Write to stderr on stdio; use
           OpenTelemetry elsewhere.
        """
        await self.log("warning", message, **extra)

    async def error(self, message: str, **extra: Any) -> None:
        """Send the client a log message of level `error`. It is dropped if the client asked only for
        higher levels. To report that a call failed, raise an exception instead.

        Args:
            message: The text of the message.
            **extra: `logger_name`, such as the part of the server that the message is from.
                Default: none.

        Example:
            ```python
            @mcp.tool()
            async def restart(service: str, ctx: Context) -> bool:
                await ctx.error(f"{service} does not answer")
                return False
            ```

        .. deprecated:: 2026-07-28
           logging, SEP-2577; earliest removal 2027-07-28. Write to stderr on stdio; use
           OpenTelemetry elsewhere.
        """
        await self.log("error", message, **extra)
