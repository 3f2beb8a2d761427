"""Prompts of the high-level server."""

from ...._common.prompts.base import Prompt
from .manager import PromptManager

__all__ = ["Prompt", "PromptManager"]
