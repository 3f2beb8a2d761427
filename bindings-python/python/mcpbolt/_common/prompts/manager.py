"""The prompts of a server.

Owns: registering and finding them. Must not know: which line the server is of; a line's manager
has its own logger.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from ...server._error_responses import UnknownPromptError
from ..registry import Registry
from .base import Prompt

if TYPE_CHECKING:
    from ..context import BaseContext
    from .messages import Message


class BasePromptManager:
    """The prompts by name, in order of registration.

    Args:
        warn_on_duplicate_prompts: Whether registering a name twice logs a warning; the first prompt
            stays. Default: yes.
    """

    logger: ClassVar[logging.Logger]

    def __init__(self, warn_on_duplicate_prompts: bool = True) -> None:
        self.warn_on_duplicate_prompts = warn_on_duplicate_prompts
        self._prompts: Registry[Prompt] = Registry()

    def watch(self, changed: Callable[[], None]) -> None:
        """Set the function to call when prompts change.

        Args:
            changed: Called after each change.
        """
        self._prompts.changed = changed

    def get_prompt(self, name: str) -> Prompt | None:
        """The prompt of that name, or `None`.

        Args:
            name: The prompt's name.
        """
        return self._prompts.get(name)

    def list_prompts(self) -> list[Prompt]:
        """All registered prompts."""
        return list(self._prompts.values())

    def definitions(self, _: str) -> list[dict[str, Any]]:
        """All prompts as clients see them."""
        return [prompt.definition() for prompt in self._prompts.values()]

    def add_prompt(self, prompt: Prompt) -> Prompt:
        """Register a prompt. If the name is in use, the earlier prompt stays and a warning is
        logged.

        Args:
            prompt: The prompt.
        """
        logger = self.logger if self.warn_on_duplicate_prompts else None
        return self._prompts.register(prompt.name, prompt, "Prompt", logger)

    def remove_prompt(self, name: str) -> None:
        """Remove a prompt.

        Args:
            name: The prompt's name.

        Raises:
            ValueError: There is no prompt of that name.
        """
        self._prompts.unregister(name, ValueError(f"Unknown prompt: {name}"))

    async def render_prompt(
        self,
        name: str,
        arguments: dict[str, Any] | None = None,
        context: BaseContext | None = None,
    ) -> list[Message]:
        """Render the messages of a prompt.

        Args:
            name: The prompt's name.
            arguments: The arguments by name. Default: none.
            context: The context to pass to the function. Default: none.

        Raises:
            ValueError: There is no prompt of that name, or it cannot be rendered.
        """
        prompt = self.get_prompt(name)
        if not prompt:
            raise UnknownPromptError(f"Unknown prompt: {name}")
        return await prompt.render(arguments, context=context)
