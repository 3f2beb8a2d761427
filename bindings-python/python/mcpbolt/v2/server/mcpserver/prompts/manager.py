"""All prompts.

Owns: its place in the official package. Must not know: how it works.
"""

from .....server.fastmcp.prompts.manager import PromptManager

__all__ = ["PromptManager"]
