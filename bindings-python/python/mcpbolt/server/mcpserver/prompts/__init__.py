"""Prompts of servers of the 2.x kind; the same as those of `FastMCP`."""

from ...fastmcp.prompts import Prompt, PromptManager

__all__ = ["Prompt", "PromptManager"]
