"""One prompt, and its messages.

Owns: its place in the official package. Must not know: how it works.
"""

from .....server.mcpserver.prompts.base import AssistantMessage, Message, Prompt, PromptArgument, UserMessage

__all__ = ["AssistantMessage", "Message", "Prompt", "PromptArgument", "UserMessage"]
