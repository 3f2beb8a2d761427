"""Rules for sampling requests that are checked before they are sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..shared.exceptions import McpError

if TYPE_CHECKING:
    from ..types import ClientCapabilities, SamplingMessage, Tool, ToolChoice


def check_sampling_tools_capability(client_caps: ClientCapabilities | None) -> bool:
    """Whether the client allows tools in sampling requests.

    Args:
        client_caps: The capabilities that the client declared; `None` if it declared none.
    """
    sampling = client_caps.sampling if client_caps is not None else None
    return sampling is not None and sampling.tools is not None


def validate_sampling_tools(
    client_caps: ClientCapabilities | None, tools: list[Tool] | None, tool_choice: ToolChoice | None
) -> None:
    """Check that the client allows tools, if a request has tools or a tool choice.

    Args:
        client_caps: The capabilities that the client declared; `None` if it declared none.
        tools: The tools of the request.
        tool_choice: The tool choice of the request.

    Raises:
        McpError: The client does not allow them.
    """
    if wants_sampling_tools(tools, tool_choice) and not check_sampling_tools_capability(client_caps):
        raise McpError(-32602, "Client does not support sampling tools capability")


def capabilities_of(session: Any) -> ClientCapabilities | None:
    """The capabilities that the client of a session declared; `None` if it declared none.

    Args:
        session: The session.
    """
    params = session.client_params
    return params.capabilities if params else None


def validate_sampling(
    session: Any, messages: list[SamplingMessage], tools: list[Tool] | None, tool_choice: ToolChoice | None
) -> None:
    """Check all that is checked before a sampling request is sent.

    Args:
        session: The session with the client.
        messages: The conversation so far, oldest message first.
        tools: The tools of the request.
        tool_choice: The tool choice of the request.

    Raises:
        McpError: The client does not allow tools.
        ValueError: A tool result belongs to no tool use, or one is missing.
    """
    if wants_sampling_tools(tools, tool_choice):
        validate_sampling_tools(capabilities_of(session), tools, tool_choice)
    validate_tool_use_result_messages(messages)


def validate_tool_use_result_messages(messages: list[SamplingMessage]) -> None:
    """Check that tool results in the messages match the tool uses before them (SEP-1577).

    Args:
        messages: The conversation so far, oldest message first.

    Raises:
        ValueError: A result belongs to no tool use, or one is missing.
    """
    if not messages:
        return
    last = messages[-1].content_as_list
    before: list[Any] = list(messages[-2].content_as_list) if len(messages) > 1 else []
    results = {block.toolUseId for block in last if block.type == "tool_result"}
    uses = {block.id for block in before if block.type == "tool_use"}
    if results:
        if any(block.type != "tool_result" for block in last):
            raise ValueError("The last message must contain only tool_result content if any is present")
        if len(messages) < 2:
            raise ValueError("tool_result requires a previous message containing tool_use")
        if not uses:
            raise ValueError("tool_result blocks do not match any tool_use in the previous message")
    if uses and uses != results:
        raise ValueError("ids of tool_result blocks and tool_use blocks from previous message do not match")


def wants_sampling_tools(tools: list[Tool] | None, tool_choice: ToolChoice | None) -> bool:
    """Whether a sampling request has tools, or says how to choose one.

    Args:
        tools: The tools of the request.
        tool_choice: The tool choice of the request.
    """
    return tools is not None or tool_choice is not None
