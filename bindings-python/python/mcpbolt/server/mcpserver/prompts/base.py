"""Prompts and their messages."""

from ...._common.prompts.base import Prompt, PromptArgument
from ...._common.prompts.messages import AssistantMessage, Message, UserMessage

__all__ = ["AssistantMessage", "Message", "Prompt", "PromptArgument", "UserMessage"]
