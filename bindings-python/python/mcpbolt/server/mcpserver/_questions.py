"""The questions to a client that a parameter may be resolved by.

Owns: what each of them asks. Must not know: how they are asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ..._naming import found_in

if TYPE_CHECKING:
    from ... import types as protocol

T = TypeVar("T")


@found_in("server.mcpserver.resolve")
class Elicit(Generic[T]):
    """A question that a `Resolve` function returns to ask the user to fill in a form. The value is
    an instance of the model.

    Args:
        message: The question, as shown to the user.
        schema: A pydantic model of the form. Its fields are texts, numbers, booleans or lists of
            texts, and may be optional.
    """

    def __init__(self, message: str, schema: type[T]) -> None:
        self.message = message
        self.schema = schema


@found_in("server.mcpserver.resolve")
class Sample:
    """A question that a `Resolve` function returns to ask the client's language model for a message.
    The value is a `CreateMessageResult`.

    Args:
        messages: The conversation so far, oldest message first.
        max_tokens: The largest number of tokens of the answer.
        system_prompt: Instructions for the model. Default: the client decides.
        include_context: Whether the client adds context: `"none"`, `"thisServer"` or
            `"allServers"`. Deprecated by the protocol (SEP-2596). Default: none.
        temperature: How random the answer is, such as 0.0 for as little as possible. Default: the
            client decides.
        stop_sequences: Texts at which the model stops. Default: none.
        metadata: Settings for the model's provider, passed on by the client. Default: none.
        model_preferences: Which models are wanted, and what matters: cost, speed, intelligence.
            Default: the client decides.
        tools: Tools that the model may call; the client has to support them. Default: none.
        tool_choice: Whether the model has to call one of the tools. Default: the model decides.
    """

    def __init__(
        self,
        messages: list[protocol.SamplingMessage],
        *,
        max_tokens: int,
        system_prompt: str | None = None,
        include_context: protocol.IncludeContext | None = None,
        temperature: float | None = None,
        stop_sequences: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
        model_preferences: protocol.ModelPreferences | None = None,
        tools: list[protocol.Tool] | None = None,
        tool_choice: protocol.ToolChoice | None = None,
    ) -> None:
        from ..validation import validate_tool_use_result_messages

        validate_tool_use_result_messages(messages)
        self.options: dict[str, Any] = {
            "messages": messages,
            "max_tokens": max_tokens,
            "system_prompt": system_prompt,
            "include_context": include_context,
            "temperature": temperature,
            "stop_sequences": stop_sequences,
            "metadata": metadata,
            "model_preferences": model_preferences,
            "tools": tools,
            "tool_choice": tool_choice,
        }


@found_in("server.mcpserver.resolve")
class ListRoots:
    """A question that a `Resolve` function returns to ask the client for its roots. The value is a
    `ListRootsResult`.
    """
