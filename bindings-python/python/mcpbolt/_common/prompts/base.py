"""A function as a prompt.

Owns: a prompt's definition, and rendering its messages. Must not know: servers, and where
prompts are registered.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, cast

from ..._engine import face
from ..._engine.json import model_dict
from ..._engine.questions import is_question
from ..._naming import found_in
from ...server._error_responses import UnknownPromptError, keeps_its_code
from ...shared._definitions import WithModels, icons_of
from ..dumping import Dumped
from ..functions.calls import is_async_callable
from ..functions.injection import find_context_parameter, inject_context
from ..functions.metadata import func_metadata
from ..functions.names import named
from ..functions.placing import call_plain, wants_threads
from ..functions.unfit import explained
from ..registry import Owned

if TYPE_CHECKING:
    from ...types import Icon
    from ..context import BaseContext
    from .messages import Message

SyncPromptResult = Any
PromptResult = Any


@found_in("server.fastmcp.prompts.base")
class PromptArgument(Dumped):
    """One argument of a prompt.

    Args:
        name: The argument's name.
        description: What the argument is for. Default: none.
        required: Whether the prompt needs it. Default: no.
    """

    def __init__(self, name: str, description: str | None = None, required: bool = False) -> None:
        self.name = name
        self.description = description
        self.required = required

    def _members(self) -> dict[str, Any]:
        return dict(vars(self))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PromptArgument) and vars(self) == vars(other)

    def __repr__(self) -> str:
        return f"PromptArgument(name={self.name!r}, required={self.required!r})"


@found_in("server.fastmcp.prompts.base")
class Prompt(Owned, Dumped, WithModels):
    """A registered prompt: its definition for clients, and the function behind it.

    Args:
        name: The prompt's name.
        fn: The function that makes its messages.
        title: The name to show to people. Default: none.
        description: What the prompt is for. Default: none.
        arguments: The arguments of the prompt. Default: none.
        icons: Icons for the prompt. Default: none.
        context_kwarg: The function's parameter that gets the context; `None` without one.

    Raises:
        ValueError: A dictionary does not fit the model of `icons`.
    """

    def __init__(
        self,
        *,
        name: str,
        fn: Callable[..., PromptResult | Awaitable[PromptResult]],
        title: str | None = None,
        description: str | None = None,
        arguments: list[PromptArgument] | None = None,
        icons: list[Icon] | None = None,
        context_kwarg: str | None = None,
    ) -> None:
        self.name = name
        self.title = title
        self.description = description
        self.arguments = arguments
        self.fn = fn
        self.icons: list[Icon] | None = icons_of(icons, lambda: self._models)
        self.context_kwarg = context_kwarg

    @classmethod
    def from_function(
        cls,
        fn: Callable[..., Any],
        name: str | None = None,
        title: str | None = None,
        description: str | None = None,
        icons: list[Icon] | None = None,
        context_kwarg: str | None = None,
    ) -> Prompt:
        """Make a prompt from a function that returns text, a message, a dictionary, or a list
        of them.

        Args:
            fn: The function.
            name: The name. Default: that of the function.
            title: The name to show to people. Default: none.
            description: A description. Default: the function's docstring.
            icons: Icons. Default: none.
            context_kwarg: The parameter that gets the context. Default: the one annotated with
                `Context`.

        Raises:
            ValueError: The function is a lambda and no name is given, or a dictionary does not fit
                the model of `icons`.
            InvalidSignature: The signature cannot be described to clients.
        """
        prompt_name = named(name or fn.__name__)
        if context_kwarg is None:
            context_kwarg = find_context_parameter(fn)
        skipped = () if context_kwarg is None else (context_kwarg,)
        try:
            schema = func_metadata(fn, skip_names=skipped, structured_output=False).input_schema()
        except Exception as error:
            if not face.current.own_words:
                raise
            raise explained("Prompt", prompt_name, fn, skipped, error) from None
        required = schema.get("required", [])
        arguments = [
            PromptArgument(key, member.get("description"), key in required)
            for key, member in schema.get("properties", {}).items()
        ]
        return cls(
            name=prompt_name,
            title=title,
            description=description or fn.__doc__ or "",
            arguments=arguments,
            fn=fn,
            icons=icons,
            context_kwarg=context_kwarg,
        )

    @cached_property
    def _validated(self) -> Callable[..., Any]:
        """The function with validation of its arguments, which clients send as text."""
        from pydantic import validate_call

        return validate_call(self.fn)

    async def render(
        self, arguments: dict[str, Any] | None = None, context: BaseContext | None = None
    ) -> list[Message]:
        """Render the prompt's messages.

        Args:
            arguments: The arguments by name. Default: none.
            context: The context to pass to the function. Default: none.

        Raises:
            McpError: The function raised it.
            ValueError: An argument is missing or not valid, or the function failed.
        """
        missing = {argument.name for argument in self.arguments or () if argument.required} - set(arguments or {})
        if missing:
            raise UnknownPromptError(f"Missing required arguments: {missing}")
        try:
            given = inject_context(self.fn, arguments or {}, context, self.context_kwarg)
            result = await self._call(given, context)
            # Questions to the client, as in 2.x; the server passes them on.
            return cast("list[Message]", result) if is_question(result) else self._messages_of(result)
        except Exception as error:
            if keeps_its_code(error):
                raise
            raise ValueError(f"Error rendering prompt {self.name}: {error}") from error

    async def _call(self, given: dict[str, Any], context: BaseContext | None) -> Any:
        call = partial(self._validated, **given)
        if is_async_callable(self.fn):
            return await call()
        result = await call_plain(call, wants_threads(context))
        return await result if inspect.iscoroutine(result) else result

    # Messages

    @property
    def _messages(self) -> Any:
        """The module of the messages of this line."""
        from . import messages

        return messages

    def _messages_of(self, result: Any) -> list[Any]:
        items = cast("Sequence[Any]", result) if isinstance(result, (list, tuple)) else [result]
        return [self._message_of(item) for item in items]

    def _message_of(self, item: Any) -> Any:
        from ..functions.content import is_block
        from .base_messages import BaseMessage

        try:
            if isinstance(item, BaseMessage):
                return item
            messages = self._messages
            if isinstance(item, dict):
                return messages.message_validator.validate_python(item)
            if isinstance(item, str):
                return messages.UserMessage(item)
            if is_block(item) and not face.current.shows_content_as_text:
                return messages.UserMessage(item)
            import pydantic_core

            return messages.Message(role="user", content=pydantic_core.to_json(item, fallback=str, indent=2).decode())
        except Exception as error:
            raise ValueError(f"Could not convert prompt result to message: {item}") from error

    def definition(self) -> dict[str, Any]:
        """The prompt as clients see it, as JSON values."""
        arguments = [
            {key: value for key, value in vars(argument).items() if value is not None}
            for argument in self.arguments or ()
        ]
        found: dict[str, Any] = {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "arguments": arguments,
            "icons": None if self.icons is None else [model_dict(icon) for icon in self.icons],
        }
        return {key: value for key, value in found.items() if value is not None}

    def _members(self) -> dict[str, Any]:
        # Without the function.
        hidden = ("fn", "context_kwarg", "_owner", "_validated")
        found = {name: value for name, value in vars(self).items() if name not in hidden}
        return {**found, "arguments": [vars(argument) for argument in self.arguments or ()]}

    def __repr__(self) -> str:
        return f"Prompt(name={self.name!r}, description={self.description!r})"
