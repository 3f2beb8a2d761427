"""Registering functions as prompts of a high-level server.

Owns: this part of its class. Must not know: how prompts are rendered.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, overload

from ...server._exceptions import InvalidSignature
from ..checks import is_bare
from .base import Prompt
from .manager import BasePromptManager

if TYPE_CHECKING:
    from ...types import Icon

F = TypeVar("F", bound=Callable[..., Any])


class Prompting:
    """The part of a high-level server that registers prompts."""

    _prompt_manager: BasePromptManager
    # What functions become; another line has prompts of its own.
    _prompt_type: ClassVar[type[Prompt]] = Prompt

    def add_prompt(self, prompt: Prompt) -> None:
        """Register a prompt. If the name is in use, the earlier prompt stays and a warning is
        logged.

        Args:
            prompt: The prompt, as `Prompt.from_function` makes it.
        """
        self._prompt_manager.add_prompt(prompt)

    @overload
    def prompt(self, name: F, /) -> F: ...

    @overload
    def prompt(
        self,
        name: str | None = None,
        title: str | None = None,
        description: str | None = None,
        icons: list[Icon] | None = None,
    ) -> Callable[[F], F]: ...

    def prompt(
        self,
        name: Any = None,
        title: str | None = None,
        description: str | None = None,
        icons: list[Icon] | None = None,
    ) -> Any:
        """Decorator that registers a function as a prompt; works with and without parentheses.

        The function may be plain or async. Its parameters become the prompt's arguments, except one
        annotated with `Context`. It returns text, a message, a dictionary, or a list of them. If the
        name is in use, the earlier prompt stays and a warning is logged.

        Args:
            name: The prompt's name. Default: the name of the function.
            title: The name to show to people. Default: none.
            description: What the prompt is for. Default: the function's docstring.
            icons: Icons for the prompt. Default: none.

        Raises:
            ValueError: The function is a lambda and no name is given.
            InvalidSignature: The signature cannot be described to clients.

        Example:
            ```python
            @mcp.prompt()
            def review(code: str) -> str:
                "Ask for a review of code."
                return "Review this code: " + code
            ```
        """

        def decorator(func: F) -> F:
            try:
                made = self._prompt_type.from_function(
                    func, name=name, title=title, description=description, icons=icons
                )
            except InvalidSignature as error:
                raise error.with_traceback(None) from error.__cause__
            self.add_prompt(made)
            return func

        if is_bare(name, "prompt", "prompt()"):
            function, name = name, None
            return decorator(function)
        return decorator
