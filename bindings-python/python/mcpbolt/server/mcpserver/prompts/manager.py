"""The prompts of a server of the 2.x kind."""

import logging
from typing import ClassVar

from ...._common.prompts.manager import BasePromptManager

logger: logging.Logger = logging.getLogger("mcp.server.mcpserver.prompts.manager")


class PromptManager(BasePromptManager):
    """The prompts by name, in order of registration."""

    logger: ClassVar[logging.Logger] = logger
