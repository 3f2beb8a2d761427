"""A function as a tool.

Owns: a tool's definition, and reading it off a function. Must not know: what errors become; each
line calls its tools itself.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, cast

from ..._engine import face
from ..._engine.json import model_dict
from ...shared._definitions import WithModels, icons_of, unless_model
from ...shared._names import look_at_tool_name
from ..dumping import Dumped
from ..functions.calls import is_async_callable
from ..functions.injection import find_context_parameter
from ..functions.metadata import FuncMetadata, func_metadata
from ..functions.names import named
from ..functions.placing import call_plain, wants_threads
from ..functions.unfit import explained, refuse_variadic
from ..registry import Owned
from .scopes import checked_scopes
from .tasks import checked_task

if TYPE_CHECKING:
    from typing_extensions import Self

    from ...types import Icon, ToolAnnotations
    from ..context import BaseContext
    from .tasks import TaskSupport


# Functions that fill parameters with resolvers: each wraps a tool's function, or returns it as it
# is. The module that has the resolvers adds its own; without it no parameter can ask for one.
RESOLVING: list[Callable[[Callable[..., Any]], Callable[..., Any]]] = []


class BaseTool(Owned, Dumped, WithModels):
    """A registered tool: its definition for clients, and the function behind it.

    Args:
        fn: The function behind the tool.
        name: The tool's name.
        description: What the tool does, for the client's model.
        parameters: The JSON Schema of the arguments.
        fn_metadata: How arguments and results are validated.
        is_async: Whether the function is async.
        title: The name to show to people. Default: none.
        context_kwarg: The function's parameter that gets the context; `None` without one.
        annotations: Hints for clients about the tool's behaviour. Default: none.
        icons: Icons for the tool. Default: none.
        meta: The `_meta` of the tool. Default: none.
        run_in_thread: Whether a plain function runs on a worker thread. Default: the server's
            `sync_in_thread`.
        task: Whether calls run as tasks: `"optional"`, `"required"` or `"forbidden"`, as for the
            decorator `tool`. Default: never.
        scopes: The scopes that a token needs for calls over HTTP, all of them. Default: none.

    Raises:
        ValueError: `task` or a scope is not valid, or a dictionary does not fit the model of
            `annotations` or `icons`.
    """

    # As `only_data` of `func_metadata`.
    only_data: ClassVar[bool] = False
    # What says how arguments and results are validated; another line has its own.
    metadata_type: ClassVar[type[FuncMetadata]] = FuncMetadata

    def __init__(
        self,
        *,
        fn: Callable[..., Any],
        name: str,
        description: str,
        parameters: dict[str, Any],
        fn_metadata: FuncMetadata,
        is_async: bool,
        title: str | None = None,
        context_kwarg: str | None = None,
        annotations: ToolAnnotations | None = None,
        icons: list[Icon] | None = None,
        meta: dict[str, Any] | None = None,
        run_in_thread: bool | None = None,
        task: TaskSupport | None = None,
        scopes: Sequence[str] = (),
    ) -> None:
        self.fn = fn
        self.name = name
        self.title = title
        self.description = description
        self.parameters = parameters
        self.fn_metadata = fn_metadata
        self.is_async = is_async
        self.context_kwarg = context_kwarg
        self.annotations: ToolAnnotations | None = unless_model(annotations, "ToolAnnotations", lambda: self._models)
        self.icons: list[Icon] | None = icons_of(icons, lambda: self._models)
        self.meta = meta
        # Whether a plain function runs on a thread; `None` for the server's setting.
        self.run_in_thread = run_in_thread
        # Whether calls become tasks; `None` for never.
        self.task = checked_task(task)
        # What a token needs for calls over HTTP.
        self.scopes: list[str] = checked_scopes(scopes)

    @property
    def output_schema(self) -> dict[str, Any] | None:
        """The JSON Schema of structured results; `None` if they have no structure."""
        return self.fn_metadata.output_schema

    @classmethod
    def from_function(
        cls,
        fn: Callable[..., Any],
        name: str | None = None,
        title: str | None = None,
        description: str | None = None,
        context_kwarg: str | None = None,
        annotations: ToolAnnotations | None = None,
        icons: list[Icon] | None = None,
        meta: dict[str, Any] | None = None,
        structured_output: bool | None = None,
        *,
        run_in_thread: bool | None = None,
        docstring_params: bool = False,
        task: TaskSupport | None = None,
        scopes: Sequence[str] = (),
    ) -> Self:
        """Make a tool from a function.

        Args:
            fn: The function.
            name: The name. Default: that of the function.
            title: The name to show to people. Default: none.
            description: A description. Default: the function's docstring.
            context_kwarg: The parameter for the context. Default: the one annotated with `Context`.
            annotations: Hints for clients. Default: none.
            icons: Icons. Default: none.
            meta: The `_meta`. Default: none.
            structured_output: Whether results have structured content. `True`: they must, or
                registering fails. `False`: never. Default: if the return annotation allows it.
            run_in_thread: Whether a plain function runs on a worker thread. Default: the server's
                `sync_in_thread`.
            docstring_params: Whether the docstring describes the parameters. Default: no.
            task: Whether calls run as tasks: `"optional"`, `"required"` or `"forbidden"`, as for
                the decorator `tool`. Default: never.
            scopes: The scopes that a token needs for calls over HTTP, all of them. Default: none.

        Raises:
            ValueError: A lambda has no name, or a member is not valid.
            InvalidSignature: The signature cannot be described to clients.
        """
        tool_name = name or fn.__name__
        look_at_tool_name(tool_name)
        named(tool_name)
        if wants_resolving(fn):
            for resolving in RESOLVING:
                fn = resolving(fn)
        if context_kwarg is None:
            context_kwarg = find_context_parameter(fn)
        skipped = () if context_kwarg is None else (context_kwarg,)
        if face.current.own_words:
            refuse_variadic("Tool", tool_name, fn)
        try:
            metadata = func_metadata(fn, skipped, structured_output, only_data=cls.only_data, kind=cls.metadata_type)
            parameters = metadata.input_schema()
        except Exception as error:
            if not face.current.own_words:
                raise
            raise explained("Tool", tool_name, fn, skipped, error) from None
        if docstring_params:
            _describe(parameters, fn)
        return cls(
            fn=fn,
            name=tool_name,
            title=title,
            description=description or fn.__doc__ or "",
            parameters=parameters,
            fn_metadata=metadata,
            is_async=is_async_callable(fn),
            context_kwarg=context_kwarg,
            annotations=annotations,
            icons=icons,
            meta=meta,
            run_in_thread=run_in_thread,
            task=task,
            scopes=scopes,
        )

    async def run(
        self, arguments: dict[str, Any], context: BaseContext | None = None, convert_result: bool = False
    ) -> Any:
        """Call the tool.

        Args:
            arguments: The arguments by name.
            context: The context to pass to the function. Default: none.
            convert_result: Whether to convert the result to the content that clients get. Default:
                no.
        """
        raise NotImplementedError

    async def _called(self, bound: dict[str, Any], context: BaseContext | None) -> Any:
        """Call the function with arguments that were validated."""
        if self.is_async:
            return await self.fn(**bound)
        threads = self.run_in_thread
        if threads is None:
            threads = wants_threads(context)
        return await call_plain(functools.partial(self.fn, **bound), threads)

    def definition(self) -> dict[str, Any]:
        """The tool as clients see it, as JSON values."""
        found: dict[str, Any] = {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": self.parameters,
            "outputSchema": self.output_schema,
            "icons": None if self.icons is None else [model_dict(icon) for icon in self.icons],
            "annotations": None if self.annotations is None else model_dict(self.annotations),
            # Only clients of 2025-11-25 are shown this; to others tasks are an extension.
            "execution": None if self.task in (None, "forbidden") else {"taskSupport": self.task},
            "_meta": self.meta,
        }
        return {key: value for key, value in found.items() if value is not None}

    def _members(self) -> dict[str, Any]:
        # Without the function.
        hidden = ("fn", "fn_metadata", "run_in_thread", "task", "scopes", "_owner")
        return {name: value for name, value in self.__dict__.items() if name not in hidden}

    def model_copy(self, *, update: dict[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy of the tool, with the members in `update` changed.

        Args:
            update: The members that change, by name. Default: none.
            deep: Ignored: members are not copied.
        """
        del deep
        members = {name: value for name, value in self.__dict__.items() if name != "_owner"}
        return type(self)(**{**members, **(update or {})})

    def __repr__(self) -> str:
        return f"Tool(name={self.name!r}, description={self.description!r})"


def _describe(parameters: dict[str, Any], fn: Callable[..., Any]) -> None:
    """Add the descriptions of parameters from a function's docstring to a schema."""
    from ..functions.docstrings import parameter_descriptions

    for parameter, text in parameter_descriptions(fn.__doc__ or "").items():
        if parameter in parameters.get("properties", {}):
            parameters["properties"][parameter].setdefault("description", text)


def wants_resolving(fn: Any) -> bool:
    """Whether a parameter might be filled by a resolver. Cheap: it loads nothing for the check."""
    kinds: list[Any] = list(cast("dict[str, Any]", getattr(fn, "__annotations__", None) or {}).values())
    return any("Resolve" in (kind if isinstance(kind, str) else str(kind)) for kind in kinds if type(kind) is not type)
