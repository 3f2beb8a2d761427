"""Prompts of the high-level server."""

from .base import Prompt
from .manager import PromptManager

__all__ = ["Prompt", "PromptManager"]
