"""Prompts of the high-level server.

Owns: its place in the official package. Must not know: how it works.
"""

from ._prompt import Prompt
from .manager import PromptManager

__all__ = ["Prompt", "PromptManager"]
