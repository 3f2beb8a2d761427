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
    """The part of `Context` that the servers of 1.x and 2.x share.

    Args:
        request_context: The request as the low-level server has it; `None` outside of a request.
        server: The server that answers it; `None` outside of a request.
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
        """The id that the client gave the request, as text."""
        return str(self.request_context.request_id)

    @property
    def client_id(self) -> str | None:
        """The `client_id` in the `_meta` of the request, not verified; `None` without one."""
        return getattr(self.request_context.meta, "client_id", None)

    @property
    def session(self) -> ServerSession:
        """The session with the client, to send it requests and notifications.

        Raises:
            ValueError: No request is being answered.

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
        transports. The client sets them, so they prove nothing.

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
        """The protocol revision of this request, such as 2026-07-28; `None` outside of a request."""
        return self._about.get("revision")

    @property
    def client_capabilities(self) -> types.ClientCapabilities | None:
        """The capabilities that the client declared; `None` outside of a request.

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
        """The answers to the questions that this function returned in an `InputRequiredResult`, by
        the keys of the questions; `None` when the function is called for the first time.
        """
        found = self._about.get("inputResponses")
        if not found:
            return None
        return {key: _answer(value) for key, value in found.items()}

    @property
    def request_state(self) -> str | None:
        """The `requestState` that this function returned in an `InputRequiredResult`; `None` when the
        function is called for the first time.
        """
        return self._about.get("requestState")

    async def begin_task(self) -> str:
        """Turn the running tool call into a task (2026-07-28), for tools that decide this
        themselves, such as after a first question. The client gets the task at once; what the tool
        returns becomes the task's result. If the call is a task already, only its id is returned.

        Returns:
            The task's id.

        Raises:
            McpError: The client did not declare the extension for tasks (code -32021), too many
                tasks run, or the task could not be stored.
            UsageError: The server has no tasks: none of its tools has `task=`.
            LookupError: No request is being answered.
        """
        from ..server._tasks import begin

        return await begin()

    async def elicit(
        self, message: str, schema: type[ElicitSchemaModelT]
    ) -> ElicitationResult[ElicitSchemaModelT]:
        """Ask the user to fill in a form, and wait for the answer.

        Check the `action` of the result: `"accept"`, `"decline"` or `"cancel"`. Only an accepted
        answer has `data`, an instance of the model.

        Args:
            message: The question, as shown to the user.
            schema: A pydantic model of the form. Its fields are texts, numbers, booleans or lists of
                texts, and may be optional.

        Raises:
            McpError: The client did not declare elicitation (code -32021).
            TypeError: The model has a field of another type.
            ValueError: No request is being answered, or the answer does not fit the model (a
                `ValidationError` of pydantic).

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
        """Ask the user to visit a URL, for data that must not pass through the client, such as a
        password or a payment.

        The action `"accept"` means that the user agreed to go there, not that anything is done
        yet. When it is done, call `session.send_elicit_complete`.

        Args:
            message: Why the user should visit the URL, as shown to the user.
            url: The URL to visit.
            elicitation_id: An id for this question, unique among the questions of the server.

        Raises:
            McpError: The client did not declare elicitation by URL (code -32021).
            ValueError: No request is being answered.

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

    async def close_sse_stream(self) -> None:
        """End the event stream of this request; the client reconnects and gets the rest. For long
        calls, so that no connection has to stay open. Only over HTTP in a session of 2025-11-25;
        elsewhere it does nothing.

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
        """End the event stream that the client opened with GET for messages that belong to no
        request; the client opens it again. Only over HTTP in a session of 2025-11-25; elsewhere it
        does nothing.

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
