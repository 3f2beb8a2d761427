"""Prompts and their messages."""

from ...fastmcp.prompts._messages import AssistantMessage, Message, UserMessage
from ...fastmcp.prompts.base import Prompt, PromptArgument

__all__ = ["AssistantMessage", "Message", "Prompt", "PromptArgument", "UserMessage"]
