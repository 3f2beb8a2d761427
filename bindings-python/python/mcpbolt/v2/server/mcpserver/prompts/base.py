"""One prompt, and its messages.

Owns: its place in the official package. Must not know: how it works.
"""

from ....._common.prompts.base import PromptArgument
from ._messages import AssistantMessage, Message, UserMessage, message_validator
from ._prompt import Prompt

__all__ = ["AssistantMessage", "Message", "Prompt", "PromptArgument", "UserMessage", "message_validator"]
