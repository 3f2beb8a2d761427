"""Prompts of servers of the 2.x kind."""

from ...._common.prompts.base import Prompt
from .manager import PromptManager

__all__ = ["Prompt", "PromptManager"]
