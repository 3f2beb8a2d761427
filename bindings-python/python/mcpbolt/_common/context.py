"""What a tool, resource or prompt function can do with the request it answers.

Owns: what the contexts of both lines have in common. Must not know: high-level servers; what a
context does with its server is in the file of that server.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from .. import types
    from ..server.elicitation import ElicitationResult, ElicitSchemaModelT, UrlElicitationResult
    from ..server.session import ServerSession


class BaseContext:
    """What the contexts of both lines can do. A function gets the one of its server, by a
    parameter of any name that is annotated with `Context`.

    Args:
        request_context: The request in the low-level server; `None` outside of a request.
        server: The server that answers it.
    """

    def __init__(self, request_context: Any, server: Any) -> None:
        self._request_context = request_context
        self._owner = server

    if not TYPE_CHECKING:

        @classmethod
        def __get_pydantic_core_schema__(cls, _source, _handler):
            # Functions with a context are validated too, but the context itself is not an
            # input.
            from pydantic_core import core_schema

            return core_schema.any_schema()

    @property
    def request_context(self) -> Any:
        """The request's context in the low-level server.

        Raises:
            ValueError: No request is being answered.
        """
        if self._request_context is None:
            raise ValueError("Context is not available outside of a request")
        return self._request_context

    @property
    def _server(self) -> Any:
        if self._owner is None:
            raise ValueError("Context is not available outside of a request")
        return self._owner

    @property
    def request_id(self) -> str:
        """The id that the client gave the request."""
        return str(self.request_context.request_id)

    @property
    def client_id(self) -> str | None:
        """The `client_id` in the request's `_meta`, if any."""
        return getattr(self.request_context.meta, "client_id", None)

    @property
    def session(self) -> ServerSession:
        """The session with the client.

        Example:
            ```python
            @mcp.tool()
            async def folders(ctx: Context) -> list[str]:
                found = await ctx.session.list_roots()
                return [str(root.uri) for root in found.roots]
            ```
        """
        session: ServerSession = self.request_context.session
        return session

    @property
    def _about(self) -> dict[str, Any]:
        # The engine's description of the call.
        return getattr(self._request_context, "about", {})

    @property
    def headers(self) -> Mapping[str, str] | None:
        """The headers of the HTTP request that brought this request; `None` on other
        transports. They are set by the client and not verified.

        Example:
            ```python
            @mcp.tool()
            def language(ctx: Context) -> str:
                return (ctx.headers or {}).get("accept-language", "en")
            ```
        """
        request: Any = getattr(self._request_context, "request", None)
        return getattr(request, "headers", None)

    @property
    def protocol_version(self) -> str | None:
        """The protocol revision of this request."""
        return self._about.get("revision")

    @property
    def client_capabilities(self) -> types.ClientCapabilities | None:
        """The capabilities that the client declared; `None` if it declared none.

        Example:
            ```python
            @mcp.tool()
            def asks(ctx: Context) -> bool:
                known = ctx.client_capabilities
                return known is not None and known.elicitation is not None
            ```
        """
        found = self._about.get("clientCapabilities")
        if found is None:
            return None
        from ..types import ClientCapabilities

        return ClientCapabilities.model_validate(found)

    @property
    def input_responses(self) -> dict[str, Any] | None:
        """The client's answers to the questions that this function returned in an
        `InputRequiredResult`, by key; `None` in the first round.
        """
        found = self._about.get("inputResponses")
        if not found:
            return None
        return {key: _answer(value) for key, value in found.items()}

    @property
    def request_state(self) -> str | None:
        """The state that this function returned with its questions; `None` in the first round."""
        return self._about.get("requestState")

    async def begin_task(self) -> str:
        """Make a task of the tool call that is running, for tools that decide by themselves, such
        as after a first question. The client is told at once; what the tool returns is the task's
        result. Does nothing where the call is a task already.

        Returns:
            The task's id.

        Raises:
            McpError: The client did not declare the extension (-32021), too many tasks run, or the
                task could not be stored.
            UsageError: The server has no tasks: none of its tools has `task=`.
        """
        from ..server._tasks import begin

        return await begin()

    async def elicit(
        self, message: str, schema: type[ElicitSchemaModelT]
    ) -> ElicitationResult[ElicitSchemaModelT]:
        """Ask the user to fill in a form, described by a pydantic model with fields of
        primitive types.

        Check `action` of the result: `data` is there only if it is `"accept"`.

        Args:
            message: What to ask, as shown to the user.
            schema: The model of the form. Its fields are texts, numbers, booleans or choices.

        Example:
            ```python
            class Seats(BaseModel):
                count: int

            @mcp.tool()
            async def book(ctx: Context) -> str:
                answer = await ctx.elicit("How many seats?", Seats)
                return f"{answer.data.count} seats" if answer.action == "accept" else "nothing booked"
            ```
        """
        from ..server.elicitation import elicit_with_validation

        return await elicit_with_validation(
            session=self.session, message=message, schema=schema, related_request_id=self.request_id
        )

    async def elicit_url(self, message: str, url: str, elicitation_id: str) -> UrlElicitationResult:
        """Ask the user to visit a URL, for data that must not pass through the client.

        The action `accept` means that the user agreed to go there, not that anything is done
        yet. Report the end with `session.send_elicit_complete`.

        Args:
            message: Why the user should go there.
            url: Where to go.
            elicitation_id: A name for this question that no other one has.

        Example:
            ```python
            @mcp.tool()
            async def pay(ctx: Context) -> str:
                answer = await ctx.elicit_url("Please pay here.", "https://pay.example/42", "payment-42")
                return "waiting for the payment" if answer.action == "accept" else "not paid"
            ```
        """
        from ..server.elicitation import elicit_url

        return await elicit_url(
            session=self.session,
            message=message,
            url=url,
            elicitation_id=elicitation_id,
            related_request_id=self.request_id,
        )

    async def log(self, level: Any, message: Any, /, *, logger_name: str | None = None) -> None:
        """Send a log message to the client.

        Args:
            level: How grave it is: `debug`, `info`, `notice`, `warning`, `error`, `critical`,
                `alert` or `emergency`.
            message: What to say.
            logger_name: The part of the server that says it. Default: none.

        .. deprecated:: 2026-07-28
           logging, SEP-2577; earliest removal 2027-07-28. Write to stderr on stdio; use
           OpenTelemetry elsewhere.
        """
        await self.session.send_log_message(
            level=level, data=message, logger=logger_name, related_request_id=self.request_id
        )

    async def debug(self, message: str, **extra: Any) -> None:
        """Send a debug message to the client.

        Args:
            message: What to say.
            **extra: `logger_name`, the part of the server that says it.

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
        """Send an informational message to the client.

        Args:
            message: What to say.
            **extra: `logger_name`, the part of the server that says it.

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
        """Send a warning to the client.

        Args:
            message: What to say.
            **extra: `logger_name`, the part of the server that says it.

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
        """Send an error message to the client.

        Args:
            message: What to say.
            **extra: `logger_name`, the part of the server that says it.

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

    async def close_sse_stream(self) -> None:
        """End the event stream of this request, so that the client reconnects for the rest.

        Does nothing if the client cannot: on stdio, and in revisions without resumable
        streams.

        Example:
            ```python
            @mcp.tool()
            async def report(ctx: Context) -> str:
                await ctx.close_sse_stream()
                return "the client fetches this when it has reconnected"
            ```
        """
        close = self._request_context.close_sse_stream if self._request_context else None
        if close is not None:
            await close()

    async def close_standalone_sse_stream(self) -> None:
        """End the client's event stream that belongs to no request, so that the client opens
        it again.

        Example:
            ```python
            @mcp.tool()
            async def rotate(ctx: Context) -> str:
                await ctx.close_standalone_sse_stream()
                return "the client opens its stream anew"
            ```
        """
        close = self._request_context.close_standalone_sse_stream if self._request_context else None
        if close is not None:
            await close()


def _answer(value: Any) -> Any:
    """A client's answer as a model, chosen by its members."""
    from .. import types

    if not isinstance(value, dict):
        return value
    values = cast("dict[str, Any]", value)
    if "action" in values:
        return types.ElicitResult.model_validate(values)
    if "roots" in values:
        return types.ListRootsResult.model_validate(values)
    kind = types.CreateMessageResultWithTools if isinstance(values.get("content"), list) else types.CreateMessageResult
    return kind.model_validate(values)
