"""Several servers used as one, as 2.x has it: limits in seconds, sessions and models of 2.x.

Owns: the parameters. Must not know: what a group does with what it finds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from pydantic import BaseModel, Field

from ...client.session import ElicitationFnT, ListRootsFnT, LoggingFnT, MessageHandlerFnT, SamplingFnT
from ...client.session_group import ClientSessionGroup as _ClientSessionGroup
from ...client.session_group import SseServerParameters
from ...client.stdio import StdioServerParameters
from .session import ClientSession
from .streamable_http import DEFAULT_MAX_SSE_EVENT_SIZE

if TYPE_CHECKING:
    from ...shared.session import ProgressFnT
    from ..types import CallToolResult, Implementation

__all__ = [
    "ClientSessionGroup",
    "ClientSessionParameters",
    "ServerParameters",
    "SseServerParameters",
    "StreamableHttpParameters",
]


class StreamableHttpParameters(BaseModel):
    """How to connect to a server over streamable HTTP."""

    url: str
    """The URL of the endpoint, such as `http://localhost:8000/mcp`."""
    headers: dict[str, Any] | None = None
    """HTTP headers to send with every request. Default: none."""
    timeout: float = 30.0
    """Longest time to connect, in seconds. Default: 30."""
    sse_read_timeout: float = 300.0
    """Longest silence while a response is read, in seconds. Default: no limit. With any value but 300,
    requests go through an HTTP client of the program's line.
    """
    terminate_on_close: bool = True
    """Whether to end the session on the server too, with a DELETE request, when the connection is
    closed. Default: yes.
    """
    max_sse_event_size: int | None = Field(default=DEFAULT_MAX_SSE_EVENT_SIZE, gt=0)
    """The largest event of a stream, in bytes, if requests go through an HTTP client of the program;
    `None` for the engine's limit of messages. Default: 1 MiB.
    """


ServerParameters: TypeAlias = StdioServerParameters | SseServerParameters | StreamableHttpParameters
"""How to connect to a server."""


@dataclass
class ClientSessionParameters:
    """Options for the sessions of a group. Each has the meaning of the argument of
    `ClientSession` with the same name.
    """

    read_timeout_seconds: float | None = None
    """Longest wait for an answer, in seconds; progress does not extend it. Default: no limit."""
    sampling_callback: SamplingFnT | None = None
    """Async function that is called when the server asks for a message from a language model. Default:
    none, and such requests are refused.
    """
    elicitation_callback: ElicitationFnT | None = None
    """Async function that is called when the server asks the user a question. Default: none, and such
    requests are refused.
    """
    list_roots_callback: ListRootsFnT | None = None
    """Async function that is called when the server asks for the roots that it may work on. Default:
    none, and such requests are refused.
    """
    logging_callback: LoggingFnT | None = None
    """Async function that is called with each log message of the server. Default: they are ignored."""
    message_handler: MessageHandlerFnT | None = None
    """Async function that is called with each notification, and with each transport error, as an
    exception. Default: they are ignored.
    """
    client_info: Implementation | None = None
    """The name and version of this program, sent to the server. Default: `mcp`, version `0.1.0`."""


class ClientSessionGroup(_ClientSessionGroup):
    """Connections to several servers, whose tools, resources and prompts are used as those of one.

    Args:
        exit_stack: The stack that closes the connections. Default: leaving the group's context
            closes them.
        component_name_hook: Called with the name of each tool, resource and prompt, and the name and
            version of its server; returns the name to use in the group. Default: names stay as they
            are, and a server that repeats one is refused.
    """

    _session_class = ClientSession
    _default_parameters = ClientSessionParameters

    async def call_tool(  # type: ignore[override]
        self,
        name: str,
        arguments: dict[str, Any] | None = None,
        read_timeout_seconds: float | None = None,
        progress_callback: ProgressFnT | None = None,
        *,
        input_responses: Mapping[str, Any] | None = None,
        request_state: str | None = None,
        meta: Mapping[str, Any] | None = None,
        allow_input_required: bool = False,
    ) -> CallToolResult | Any:
        """Call a tool by its name in the group. If the tool itself fails, the result has
        `is_error`.

        Args:
            name: The tool's name in the group.
            arguments: The arguments by name. Default: none.
            read_timeout_seconds: Longest wait for the answer, in seconds; progress does not extend
                it. Default: that of the session.
            progress_callback: Async function that is called with `progress`, `total` and `message`
                of each progress report. Default: no reports are asked for.
            input_responses: The answers to the questions of an earlier `InputRequiredResult`, by
                the keys of the questions. Default: none.
            request_state: The `requestState` of that `InputRequiredResult`. Default: none.
            meta: The `_meta` of the request. Default: none.
            allow_input_required: Whether to return questions of the server as an
                `InputRequiredResult`, for the caller to answer (2026-07-28). Default: no, callbacks
                answer them.

        Raises:
            KeyError: The group has no such tool.
        """
        session: Any = self._tool_to_session[name]
        return await session.call_tool(
            self.tools[name].name,
            arguments=arguments,
            read_timeout_seconds=read_timeout_seconds,
            progress_callback=progress_callback,
            input_responses=input_responses,
            request_state=request_state,
            meta=meta,
            allow_input_required=allow_input_required,
        )
