"""Prompts and their messages. The messages, which are models, are imported on first use."""

from typing import TYPE_CHECKING, Any

from ...._common.prompts.base import Prompt, PromptArgument, PromptResult, SyncPromptResult

if TYPE_CHECKING:
    from ...._common.prompts.messages import AssistantMessage, Message, UserMessage, message_validator

__all__ = [
    "AssistantMessage",
    "Message",
    "Prompt",
    "PromptArgument",
    "PromptResult",
    "SyncPromptResult",
    "UserMessage",
    "message_validator",
]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from ...._common.prompts import messages

        return getattr(messages, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
