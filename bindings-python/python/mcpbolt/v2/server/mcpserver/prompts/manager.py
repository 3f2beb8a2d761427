"""All prompts.

Owns: its place in the official package. Must not know: how it works.
"""

from .....server.mcpserver.prompts.manager import PromptManager

__all__ = ["PromptManager"]
