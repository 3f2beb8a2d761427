"""The fast path to tools of 2.x.

Owns: for which classes it is right. Must not know: what it does.
"""

from __future__ import annotations

from typing import Any, ClassVar

from ...._common.tools.base import BaseTool
from ...._common.tools.manager import BaseToolManager
from ....server.mcpserver._provider import ModernProvider
from .tools import Tool, ToolManager


class OwnProvider(ModernProvider):
    """A `ModernProvider` for tools whose results are models of 2.x."""

    manager_type: ClassVar[type[BaseToolManager[Any]]] = ToolManager
    tool_type: ClassVar[type[BaseTool]] = Tool
