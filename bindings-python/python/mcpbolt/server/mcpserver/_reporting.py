"""What a function of a 2.x server knows of its request, and tells clients while it answers.

Owns: this part of `Context`. Must not know: the high-level server's type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..._common.context import BaseContext
from ..context import ServerRequestContext

if TYPE_CHECKING:
    from pydantic import AnyUrl

    from ... import types


class Reporting(BaseContext):
    """The part of `Context` that describes the request and reports to clients."""

    # Whether it is for a resource that the function itself reads.
    _is_nested = False

    @property
    def protocol_version(self) -> str | None:
        """The protocol revision of this request."""
        given = self._request_context
        return given.protocol_version if isinstance(given, ServerRequestContext) else super().protocol_version

    @property
    def client_capabilities(self) -> types.ClientCapabilities | None:
        """The capabilities that the client declared; `None` if it declared none."""
        given = self._request_context
        if isinstance(given, ServerRequestContext):
            return given.session.client_capabilities
        return super().client_capabilities

    @property
    def input_responses(self) -> dict[str, Any] | None:
        """The client's answers to the questions that this function returned in an
        `InputRequiredResult`, by key; `None` in the first round.
        """
        return None if self._is_nested else super().input_responses

    @property
    def request_state(self) -> str | None:
        """The state that this function returned with its questions; `None` in the first round."""
        return None if self._is_nested else super().request_state

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
        await self.session.report_progress(progress, total, message)

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
        from ...shared.subscriptions import ToolsListChanged

        await self._server.bus.publish(ToolsListChanged())

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
        from ...shared.subscriptions import PromptsListChanged

        await self._server.bus.publish(PromptsListChanged())

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
        from ...shared.subscriptions import ResourcesListChanged

        await self._server.bus.publish(ResourcesListChanged())

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
        from ...shared.subscriptions import ResourceUpdated

        await self._server.bus.publish(ResourceUpdated(str(uri)))

    async def log(self, level: Any, data: Any, *, logger_name: str | None = None) -> None:
        """Send a log message to the client; the message may be any JSON value. Deprecated by
        the protocol (SEP-2577).

        Args:
            level: The severity: `debug`, `info`, `notice`, `warning`, `error`, `critical`, `alert`
                or `emergency`.
            data: The message: text, or any other JSON value.
            logger_name: The name of the logger, such as the part of the server that the message is
                from. Default: none.

        Example:
            ```python
            @mcp.tool()
            async def convert(path: str, ctx: Context) -> str:
                await ctx.log("info", {"converting": path}, logger_name="converter")
                return path + ".pdf"
            ```
        """
        await self.session.send_log_message(
            level=level, data=data, logger=logger_name, related_request_id=self.request_id
        )

    async def debug(self, data: Any, *, logger_name: str | None = None) -> None:
        """Send the client a log message of level `debug`. It is dropped unless the client asked for
        this level.

        Args:
            data: The message: text, or any other JSON value.
            logger_name: The name of the logger, such as the part of the server that the message is
                from. Default: none.

        Example:
            ```python
            @mcp.tool()
            async def count(text: str, ctx: Context) -> int:
                await ctx.debug({"characters": len(text)}, logger_name="counter")
                return len(text.split())
            ```

        .. deprecated:: 2026-07-28
           logging, SEP-2577; earliest removal 2027-07-28. Write to stderr on stdio; use
           OpenTelemetry elsewhere.
        """
        await self.log("debug", data, logger_name=logger_name)

    async def info(self, data: Any, *, logger_name: str | None = None) -> None:
        """Send the client a log message of level `info`. It is dropped if the client asked only for
        higher levels.

        Args:
            data: The message: text, or any other JSON value.
            logger_name: The name of the logger, such as the part of the server that the message is
                from. Default: none.

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
        await self.log("info", data, logger_name=logger_name)

    async def warning(self, data: Any, *, logger_name: str | None = None) -> None:
        """Send the client a log message of level `warning`. It is dropped if the client asked only
        for higher levels.

        Args:
            data: The message: text, or any other JSON value.
            logger_name: The name of the logger, such as the part of the server that the message is
                from. Default: none.

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
        await self.log("warning", data, logger_name=logger_name)

    async def error(self, data: Any, *, logger_name: str | None = None) -> None:
        """Send the client a log message of level `error`. It is dropped if the client asked only for
        higher levels. To report that a call failed, raise an exception instead.

        Args:
            data: The message: text, or any other JSON value.
            logger_name: The name of the logger, such as the part of the server that the message is
                from. Default: none.

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
        await self.log("error", data, logger_name=logger_name)
