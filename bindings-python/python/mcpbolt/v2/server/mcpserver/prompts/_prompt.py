"""A function as a prompt of 2.x.

Owns: that its messages and icons are those of 2.x. Must not know: how they are rendered.
"""

from __future__ import annotations

from typing import Any

from ....._common.prompts.base import Prompt as _Prompt
from ....._naming import found_in
from .._models import OwnModels


@found_in("v2.server.mcpserver.prompts.base")
class Prompt(OwnModels, _Prompt):
    """A registered prompt: its definition for clients, and the function behind it.

    Args:
        name: The prompt's name.
        fn: The function that makes its messages.
        title: The name to show to people. Default: none.
        description: What the prompt is for. Default: none.
        arguments: The arguments of the prompt. Default: none.
        icons: Icons for the prompt. Default: none.
        context_kwarg: The function's parameter that gets the context; `None` without one.
    """

    @property
    def _messages(self) -> Any:
        from . import _messages

        return _messages
