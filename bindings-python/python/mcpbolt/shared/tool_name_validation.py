"""Names of tools: 1 to 128 characters of `A-Z a-z 0-9 _ - .` (SEP-986).

Other names still work, but registering them logs a warning.
"""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass, field

logger: logging.Logger = logging.getLogger("mcp.shared.tool_name_validation")

# The longest valid name, in characters.
MAX_LENGTH = 128
TOOL_NAME_REGEX = re.compile(r"^[A-Za-z0-9._-]{1,128}$")
SEP_986_URL = "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-names"


@dataclass
class ToolNameValidationResult:
    """Whether a name follows the rules, and warnings about it."""

    is_valid: bool
    """Whether the name follows the rules."""
    warnings: list[str] = field(default_factory=lambda: list[str]())
    """What is wrong or unwise about it."""


def validate_tool_name(name: str) -> ToolNameValidationResult:
    """Check a tool name.

    Args:
        name: The name.
    """
    if not name:
        return ToolNameValidationResult(False, ["Tool name cannot be empty"])
    if len(name) > MAX_LENGTH:
        length = f"Tool name exceeds maximum length of {MAX_LENGTH} characters (current: {len(name)})"
        return ToolNameValidationResult(False, [length])
    warnings = [f"Tool name contains {what}, which may cause parsing issues" for what in _oddities(name)]
    edges = [("a dash", "-"), ("a dot", ".")]
    warnings += [
        f"Tool name starts or ends with {what}, which may cause parsing issues in some contexts"
        for what, mark in edges
        if name.startswith(mark) or name.endswith(mark)
    ]
    if TOOL_NAME_REGEX.fullmatch(name):
        return ToolNameValidationResult(True, warnings)
    wrong = dict.fromkeys(char for char in name if not TOOL_NAME_REGEX.fullmatch(char))
    warnings.append(f"Tool name contains invalid characters: {', '.join(map(repr, wrong))}")
    warnings.append("Allowed characters are: A-Z, a-z, 0-9, underscore (_), dash (-), and dot (.)")
    return ToolNameValidationResult(False, warnings)


def _oddities(name: str) -> list[str]:
    return [what for what, mark in (("spaces", " "), ("commas", ",")) if mark in name]


def issue_tool_name_warning(name: str, warnings: list[str]) -> None:
    """Log warnings about a tool name.

    Args:
        name: The name.
        warnings: The warnings.
    """
    if not warnings:
        return
    logger.warning('Tool name validation warning for "%s":', name)
    for warning in warnings:
        logger.warning("  - %s", warning)
    logger.warning("Tool registration will proceed, but this may cause compatibility issues.")
    logger.warning("Consider updating the tool name to conform to the MCP tool naming standard.")
    logger.warning("See SEP-986 (%s) for more details.", SEP_986_URL)


def validate_and_warn_tool_name(name: str) -> bool:
    """Check a tool name and log warnings about it; returns whether it follows the rules.

    Args:
        name: The name.
    """
    result = validate_tool_name(name)
    issue_tool_name_warning(name, result.warnings)
    return result.is_valid
