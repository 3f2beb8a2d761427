"""Prompts of the high-level server.

Owns: its place in the official package. Must not know: how it works.
"""

from .....server.mcpserver.prompts import Prompt
from .manager import PromptManager

__all__ = ["Prompt", "PromptManager"]
