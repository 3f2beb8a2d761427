"""The tools of a server.

Owns: registering, finding and calling them. Must not know: which line the server is of; a line's
manager has its own kind of tools and its own logger.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from ...server._exceptions import ToolError
from ..registry import Registry
from .base import BaseTool

if TYPE_CHECKING:
    from ...types import Icon, ToolAnnotations
    from ..context import BaseContext
    from .tasks import TaskSupport

_PATCHABLE = ("list_tools", "call_tool", "get_tool")
ToolT = TypeVar("ToolT", bound=BaseTool)


class BaseToolManager(Generic[ToolT]):
    """The tools by name, in order of registration.

    Args:
        warn_on_duplicate_tools: Whether registering a name twice logs a warning; the first tool
            stays. Default: yes.
        tools: Tools to register from the start. Default: none.
        docstring_params: Whether descriptions of parameters are taken from docstrings. Default: no.
    """

    # The class of the tools that functions become.
    tool_type: type[ToolT]
    logger: ClassVar[logging.Logger]

    def __init__(
        self,
        warn_on_duplicate_tools: bool = True,
        *,
        tools: list[ToolT] | None = None,
        docstring_params: bool = False,
    ) -> None:
        self.warn_on_duplicate_tools = warn_on_duplicate_tools
        self.docstring_params = docstring_params
        self._registry: Registry[ToolT] = Registry()
        for tool in tools or ():
            if warn_on_duplicate_tools and tool.name in self._tools:
                self.logger.warning("Tool already exists: %s", tool.name)
            self._tools[tool.name] = tool

    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)
        if name in _PATCHABLE:
            self._registry.touch()

    @property
    def _tools(self) -> Registry[ToolT]:
        return self._registry

    @_tools.setter
    def _tools(self, tools: dict[str, ToolT]) -> None:
        changed = self._registry.changed
        self._registry = Registry(tools)
        self._registry.changed = changed
        self._registry.touch()

    def watch(self, changed: Callable[[], None]) -> None:
        """Set the function to call when tools change.

        Args:
            changed: Called after each change.
        """
        self._registry.changed = changed

    def get_tool(self, name: str) -> ToolT | None:
        """The tool of that name, or `None`.

        Args:
            name: The tool's name.
        """
        return self._registry.get(name)

    def list_tools(self) -> list[ToolT]:
        """All registered tools."""
        return list(self._registry.values())

    def add_tool(
        self,
        fn: Callable[..., Any],
        name: str | None = None,
        title: str | None = None,
        description: str | None = None,
        annotations: ToolAnnotations | None = None,
        icons: list[Icon] | None = None,
        meta: dict[str, Any] | None = None,
        structured_output: bool | None = None,
        *,
        run_in_thread: bool | None = None,
        docstring_params: bool | None = None,
        task: TaskSupport | None = None,
        scopes: Sequence[str] = (),
    ) -> ToolT:
        """Register a function. If the name is in use, the earlier tool stays and a warning is
        logged.

        Args:
            fn: The function.
            name: The tool's name. Default: the name of the function.
            title: The name to show to people. Default: none.
            description: What the tool does. Default: the function's docstring.
            annotations: Hints for clients about the tool's behaviour. Default: none.
            icons: Icons for the tool. Default: none.
            meta: The `_meta` of the tool. Default: none.
            structured_output: Whether results have structured content. `True`: they must, or
                registering fails. `False`: never. Default: if the return annotation allows it.
            run_in_thread: Whether a plain function runs on a worker thread. Default: the server's
                `sync_in_thread`.
            docstring_params: Whether descriptions of parameters are taken from the docstring.
                Default: as for the server.
            task: Whether calls run as tasks: `"optional"`, `"required"` or `"forbidden"`, as for
                the decorator `tool`. Default: never.
            scopes: The scopes that a token needs for calls over HTTP, all of them. Default: none.

        Raises:
            ValueError: The function is a lambda and no name is given, or `task` or a scope is not
                valid.
            InvalidSignature: The signature cannot be described to clients.
        """
        tool = self.tool_type.from_function(
            fn,
            name=name,
            title=title,
            description=description,
            annotations=annotations,
            icons=icons,
            meta=meta,
            structured_output=structured_output,
            run_in_thread=run_in_thread,
            docstring_params=self.docstring_params if docstring_params is None else docstring_params,
            task=task,
            scopes=scopes,
        )
        logger = self.logger if self.warn_on_duplicate_tools else None
        return self._registry.register(tool.name, tool, "Tool", logger)

    def remove_tool(self, name: str) -> None:
        """Remove a tool.

        Args:
            name: The tool's name.

        Raises:
            ToolError: There is no tool of that name.
        """
        self._registry.unregister(name, ToolError(f"Unknown tool: {name}"))

    async def call_tool(
        self,
        name: str,
        arguments: dict[str, Any],
        context: BaseContext | None = None,
        convert_result: bool = False,
    ) -> Any:
        """Call a tool; see `Tool.run`.

        Args:
            name: The tool's name.
            arguments: The arguments by name.
            context: The context to pass to the function. Default: none.
            convert_result: Whether to convert the result to the content that clients get. Default:
                no.

        Raises:
            ToolError: There is no tool of that name, or it failed.
        """
        tool = self.get_tool(name)
        if not tool:
            raise ToolError(f"Unknown tool: {name}")
        return await tool.run(arguments, context=context, convert_result=convert_result)
