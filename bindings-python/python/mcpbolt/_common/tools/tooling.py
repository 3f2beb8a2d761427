"""Registering functions as tools of a high-level server.

Owns: this part of its class. Must not know: what tools are called with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, overload

from ...server._exceptions import InvalidSignature
from ..checks import is_bare
from .manager import BaseToolManager
from .tasks import offer

if TYPE_CHECKING:
    from ...types import AnyFunction, Icon, ToolAnnotations
    from .tasks import TaskSupport

F = TypeVar("F", bound=Callable[..., Any])


class Tooling:
    """The part of a high-level server that registers tools."""

    _tool_manager: BaseToolManager[Any]
    _mcp_server: Any

    def add_tool(
        self,
        fn: AnyFunction,
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
    ) -> None:
        """Register a function as a tool. If the name is in use, the earlier tool stays and a
        warning is logged.

        Args:
            fn: The function, plain or async. Its parameters become the tool's arguments, except one
                annotated with `Context`, which gets the request's context.
            name: The tool's name. Default: the name of the function.
            title: The name to show to people. Default: none.
            description: What the tool does, for the client's model. Default: the function's
                docstring.
            annotations: Hints about the tool's behaviour, such as `readOnlyHint`. Default: none.
            icons: Icons for the tool. Default: none.
            meta: The `_meta` of the tool. Default: none.
            structured_output: Whether results have structured content. `True`: they must, or
                registering fails. `False`: never. Default: if the return annotation allows it.
            run_in_thread: Whether a plain function runs on a worker thread. Default: the server's
                `sync_in_thread`.
            docstring_params: Whether descriptions of parameters are taken from the docstring.
                Default: as for the server.
            task: Whether calls run as tasks, which clients poll (2026-07-28). `"optional"`: for
                clients that declared the extension for tasks; others wait for the result.
                `"required"`: other clients are refused. Default: never, the same as `"forbidden"`.
            scopes: The scopes that a token needs for calls over HTTP, all of them. A call whose
                token lacks one is refused with status 403 and a challenge that names all of them,
                so that the client can ask for them. Lists show the tool to everybody. Default:
                none.
        """
        try:
            self._tool_manager.add_tool(
                fn,
                name=name,
                title=title,
                description=description,
                annotations=annotations,
                icons=icons,
                meta=meta,
                structured_output=structured_output,
                run_in_thread=run_in_thread,
                docstring_params=docstring_params,
                task=task,
                scopes=scopes,
            )
        except InvalidSignature as error:
            # The error names the parameter at fault; our own frames would hide that.
            raise error.with_traceback(None) from error.__cause__
        offer(self._mcp_server.options, task)

    def remove_tool(self, name: str) -> None:
        """Remove a tool.

        Args:
            name: The tool's name.

        Raises:
            ToolError: There is no tool of that name.
        """
        self._tool_manager.remove_tool(name)

    @overload
    def tool(self, name: F, /) -> F: ...

    @overload
    def tool(
        self,
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
    ) -> Callable[[F], F]: ...

    def tool(
        self,
        name: Any = None,
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
    ) -> Any:
        """Decorator that registers a function as a tool; works with and without parentheses.

        The function may be plain or async. Its parameters become the tool's arguments, with their
        annotations as types and their defaults; a parameter annotated with `Context` gets the
        request's context instead. If the name is in use, the earlier tool stays and a warning is
        logged.

        Args:
            name: The tool's name. Default: the name of the function.
            title: The name to show to people. Default: none.
            description: What the tool does, for the client's model. Default: the function's
                docstring.
            annotations: Hints about the tool's behaviour, such as `readOnlyHint`. Default: none.
            icons: Icons for the tool. Default: none.
            meta: The `_meta` of the tool. Default: none.
            structured_output: Whether results have structured content. `True`: they must, or
                registering fails. `False`: never. Default: if the return annotation allows it.
            run_in_thread: Whether a plain function runs on a worker thread. Default: the server's
                `sync_in_thread`.
            docstring_params: Whether descriptions of parameters are taken from the docstring.
                Default: as for the server.
            task: Whether calls run as tasks, which clients poll (2026-07-28). `"optional"`: for
                clients that declared the extension for tasks; others wait for the result.
                `"required"`: other clients are refused. Default: never, the same as `"forbidden"`.
            scopes: The scopes that a token needs for calls over HTTP, all of them. A call whose
                token lacks one is refused with status 403 and a challenge that names all of them,
                so that the client can ask for them. Lists show the tool to everybody. Default:
                none.

        Example:
            ```python
            @mcp.tool(title="Sum")
            def add(a: int, b: int) -> int:
                "Add two numbers."
                return a + b
            ```
        """
        if is_bare(name, "tool", "tool()"):
            self.add_tool(name)
            return name

        def decorator(fn: F) -> F:
            self.add_tool(
                fn,
                name=name,
                title=title,
                description=description,
                annotations=annotations,
                icons=icons,
                meta=meta,
                structured_output=structured_output,
                run_in_thread=run_in_thread,
                docstring_params=docstring_params,
                task=task,
                scopes=scopes,
            )
            return fn

        return decorator
