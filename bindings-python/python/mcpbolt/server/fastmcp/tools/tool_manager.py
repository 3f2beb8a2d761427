"""The tools of a server."""

from __future__ import annotations

import logging
from typing import Any, ClassVar

from ...._common.tools.manager import BaseToolManager
from .base import Tool

logger: logging.Logger = logging.getLogger("mcp.server.fastmcp.tools.tool_manager")


class ToolManager(BaseToolManager[Tool]):
    """The tools by name, in order of registration."""

    tool_type: type[Tool] = Tool
    logger: ClassVar[logging.Logger] = logger


# Kept to detect whether a program has patched the method.
OWN_CALL_TOOL: Any = ToolManager.call_tool
