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
    """How to reach a server over streamable HTTP."""

    url: str
    """The server's endpoint."""
    headers: dict[str, Any] | None = None
    """HTTP headers to send with every request."""
    timeout: float = 30.0
    """Limit for connecting, in seconds."""
    sse_read_timeout: float = 300.0
    """Longest silence while a response is read, in seconds, if requests go through a client of
    the program.
    """
    terminate_on_close: bool = True
    """Whether to tell the server when the session ends."""
    max_sse_event_size: int | None = Field(default=DEFAULT_MAX_SSE_EVENT_SIZE, gt=0)
    """The largest event, in bytes, if requests go through a client of the program. `None` for the
    engine's own limit of messages.
    """


ServerParameters: TypeAlias = StdioServerParameters | SseServerParameters | StreamableHttpParameters
"""How to reach a server."""


@dataclass
class ClientSessionParameters:
    """Options for the sessions of a group. Each has the meaning of the argument of
    `ClientSession` with the same name.
    """

    read_timeout_seconds: float | None = None
    """Longest wait for an answer, in seconds. Default: no limit."""
    sampling_callback: SamplingFnT | None = None
    """Called when the server asks for a message of a language model. Default: refused."""
    elicitation_callback: ElicitationFnT | None = None
    """Called when the server asks the user a question. Default: refused."""
    list_roots_callback: ListRootsFnT | None = None
    """Called when the server asks for the roots it may work on. Default: refused."""
    logging_callback: LoggingFnT | None = None
    """Called with each log message of the server. Default: they are ignored."""
    message_handler: MessageHandlerFnT | None = None
    """Called with each notification and each transport error. Default: they are ignored."""
    client_info: Implementation | None = None
    """Name and version that this program sends to the server. Default: those of this package."""


class ClientSessionGroup(_ClientSessionGroup):
    """Connections to several servers, as 2.x has it.

    Args:
        exit_stack: The stack that closes the connections. Default: the group has its own.
        component_name_hook: Called with each name and its server's `Implementation`; returns
            the name to use in the group. Default: names stay as they are, and two servers
            may not use the same one.
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
        """Call a tool by its name in the group. The other arguments are those of
        `ClientSession.call_tool`.

        Args:
            name: The tool's name in the group.
            arguments: The arguments by name. Default: none.
            read_timeout_seconds: Longest wait for the answer. Default: that of the session.
            progress_callback: Async function that is called with `progress`, `total` and `message`
                of each progress report. Default: no reports are asked for.
            input_responses: Answers to the questions of an earlier result, by key. Default: none.
            request_state: The `requestState` of that result. Default: none.
            meta: The `_meta` of the request. Default: none.
            allow_input_required: Whether a result may be questions, for the caller to answer.
                Default: no; callbacks answer them.

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
