"""Parameters that are filled by asking: `Annotated[T, Resolve(fn)]`.

Owns: which parameters those are, the functions behind them, and what they may ask the client.
A question is asked as by any handler: on the modern era the call is parked until the client
comes back, so every function here runs only once.
"""

from __future__ import annotations

import functools
import inspect
import types
import typing
from collections.abc import Callable
from typing import Annotated, Any, cast, get_args, get_origin

from typing_extensions import TypeAliasType

from ..._common.context import BaseContext
from ..._common.functions.calls import is_async_callable
from ..._common.functions.injection import means_context
from ..._common.tools.base import RESOLVING
from ..._engine import face
from ..._engine.questions import asks_by_result, is_question, quietly
from .._exceptions import InvalidSignature, ToolError
from ..elicitation import AcceptedElicitation, CancelledElicitation, DeclinedElicitation, ElicitSchemaModelT
from ._questions import Elicit, ListRoots, Sample

__all__ = [
    "AcceptedElicitation", "CancelledElicitation", "DeclinedElicitation", "Elicit",
    "ElicitationResult", "ListRoots", "Resolve", "Sample",
]

ElicitationResult = TypeAliasType(
    "ElicitationResult",
    AcceptedElicitation[ElicitSchemaModelT] | DeclinedElicitation | CancelledElicitation,
    type_params=(ElicitSchemaModelT,),
)
"""The outcome of a question to the user: accepted with data, declined or cancelled."""
_OUTCOMES = (AcceptedElicitation, DeclinedElicitation, CancelledElicitation)


class Resolve:
    """Marks a parameter of a tool whose value comes from a function, not from the client:
    `Annotated[T, Resolve(fn)]`.

    A parameter of type `ElicitationResult[T]` gets the whole outcome of a question. With any other
    type, the tool is not called if the user declines or cancels: the result has `isError`.

    Args:
        fn: The function, plain or async. It returns the value, or a question (`Elicit`, `Sample` or
            `ListRoots`) whose answer becomes the value. Each of its parameters is an argument of the
            tool with the same name, a `Context`, or marked with `Resolve` itself. It is called once
            for each call of the tool.
    """

    def __init__(self, fn: Callable[..., Any]) -> None:
        self.fn = fn


# The function of a tool


def resolving(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a tool's function so that its parameters marked with `Resolve` are filled. A function
    without any is returned unchanged.

    Args:
        fn: The function.

    Raises:
        InvalidSignature: A resolver has a parameter that cannot be filled, or depends on itself.
    """
    wanted = _resolved_parameters(fn)
    if not wanted:
        return fn
    hints = _hints(fn)
    if _may_ask(hints.get("return")):
        raise InvalidSignature(
            f"{_name(fn)!r} has Resolve(...) parameters and returns InputRequiredResult: ask by one of the two"
        )
    parameters = inspect.signature(fn).parameters
    context_name = next((name for name in parameters if _is_context(hints.get(name))), None)
    given = [name for name in parameters if name not in wanted and name != context_name]
    for marker, _ in wanted.values():
        _check(marker.fn, set(given), ())
    hidden = context_name or "resolving_context"

    async def call(**arguments: Any) -> Any:
        context = arguments.pop(hidden)
        resolution = _Resolution(context, dict(arguments))
        more = await resolution.fill(wanted)
        if context_name is not None:
            more[context_name] = context
        result = await _call(fn, {**arguments, **more})
        if is_question(result):
            raise RuntimeError(f"{_name(fn)!r} has Resolve(...) parameters and returned InputRequiredResult")
        return result

    for name in ("__module__", "__name__", "__qualname__", "__doc__"):
        setattr(call, name, getattr(fn, name, None) or getattr(call, name))
    kept = [parameters[name].replace(annotation=hints.get(name, inspect.Parameter.empty)) for name in given]
    extra = inspect.Parameter(hidden, inspect.Parameter.KEYWORD_ONLY, annotation=BaseContext)
    result = hints.get("return", inspect.Signature.empty)
    order = sorted([*kept, extra], key=lambda parameter: parameter.kind)
    setattr(call, "__signature__", inspect.Signature(order, return_annotation=result))
    call.__annotations__ = {name: hints[name] for name in (*given, "return") if name in hints} | {hidden: BaseContext}
    return call


RESOLVING.append(resolving)


async def _call(fn: Callable[..., Any], arguments: dict[str, Any]) -> Any:
    if is_async_callable(fn):
        return await fn(**arguments)
    from .._threads import in_thread

    return await in_thread(functools.partial(fn, **arguments))


class _Found:
    """A value, once its function has returned or raised."""

    def __init__(self) -> None:
        from anyio import Event

        self.over = Event()
        self.value: Any = None
        self.error: Exception | None = None

    async def get(self) -> Any:
        await self.over.wait()
        if self.error is not None:
            raise self.error
        return self.value


class _Resolution:
    """The resolved values of one call; each is resolved once."""

    def __init__(self, context: BaseContext, arguments: dict[str, Any]) -> None:
        self._context = context
        self._arguments = arguments
        self._found: dict[Any, _Found] = {}

    async def fill(self, wanted: dict[str, tuple[Resolve, bool]]) -> dict[str, Any]:
        """Resolve some parameters. Questions that do not depend on each other are asked
        together.
        """
        values = await self._values(wanted)
        return {name: self._given(name, whole, value) for (name, (_, whole)), value in zip(wanted.items(), values)}

    async def _values(self, wanted: dict[str, tuple[Resolve, bool]]) -> list[Any]:
        """The values of some parameters. The first function that fails ends the others."""
        from anyio import create_task_group

        found: dict[str, Any] = {}
        failed: list[Exception] = []

        async def find(name: str, fn: Callable[..., Any]) -> None:
            try:
                found[name] = await self._value(fn)
            except Exception as error:
                failed.append(error)
                tasks.cancel_scope.cancel()

        async with create_task_group() as tasks:
            for name, (marker, _) in wanted.items():
                tasks.start_soon(find, name, marker.fn)
        if failed:
            raise failed[0]
        return [found[name] for name in wanted]

    async def _value(self, fn: Callable[..., Any]) -> Any:
        key = _key(fn)
        if key in self._found:
            return await self._found[key].get()
        found = self._found[key] = _Found()
        try:
            found.value = await self._run(fn)
        except Exception as error:
            found.error = error
            raise
        finally:
            found.over.set()
        return found.value

    async def _run(self, fn: Callable[..., Any]) -> Any:
        hints, wanted = _hints(fn), _resolved_parameters(fn)
        arguments: dict[str, Any] = {}
        for name in inspect.signature(fn).parameters:
            if _is_context(hints.get(name)):
                arguments[name] = self._context
            elif name not in wanted:
                arguments[name] = self._arguments[name]
        values = await self._values(wanted)
        for (name, (_, whole)), value in zip(wanted.items(), values):
            arguments[name] = self._given(name, whole, value)
        result = await _call(fn, arguments)
        if isinstance(result, (Elicit, Sample, ListRoots)):
            return await self._ask(cast("Any", result), _label(fn))
        return AcceptedElicitation[Any].model_construct(data=result)

    @staticmethod
    def _given(name: str, whole: bool, outcome: Any) -> Any:
        if whole:
            return outcome
        if isinstance(outcome, AcceptedElicitation):
            return cast("Any", outcome).data
        raise ToolError(f"Resolver for parameter {name!r} could not resolve: elicitation was {outcome.action}")

    async def _ask(self, question: Elicit[Any] | Sample | ListRoots, label: str) -> Any:
        _demand(self._context, question, label)
        token = asks_by_result.set(True)
        try:
            return await self._answer(question, label)
        finally:
            asks_by_result.reset(token)

    async def _answer(self, question: Elicit[Any] | Sample | ListRoots, label: str) -> Any:
        session = self._context.session
        if isinstance(question, Elicit):
            try:
                return await self._context.elicit(question.message, question.schema)
            except ValueError as error:
                raise ToolError(f"Resolver {label!r}: received an invalid elicitation response") from error
        if isinstance(question, Sample):
            related = self._context.request_id
            found = await quietly(session.create_message)(**question.options, related_request_id=related)
        else:
            found = await quietly(session.list_roots)()
        return AcceptedElicitation[Any].model_construct(data=found)


def _demand(context: BaseContext, question: Any, label: str) -> None:
    """Check that the client declared the capability that a question needs.

    Raises:
        McpError: It did not; code -32021, with the missing capability as data.
    """
    from ...shared.exceptions import McpError, NoBackChannelError

    found: Any = context.client_capabilities
    missing: dict[str, Any] = {"roots": {}}
    if isinstance(question, Elicit):
        elicitation = found.elicitation if found else None
        has = elicitation is not None and (elicitation.form is not None or elicitation.url is None)
        words = "form elicitation"
        missing = {"elicitation": {"form": {}}}
    elif isinstance(question, Sample):
        tools = question.options["tools"] is not None or question.options["tool_choice"] is not None
        sampling = found.sampling if found else None
        has = sampling is not None and (not tools or sampling.tools is not None)
        words = "sampling.tools" if tools else "sampling"
        missing = {"sampling": {"tools": {}}} if tools else {"sampling": {}}
    else:
        has, words = bool(found) and found.roots is not None, "roots"
    about: dict[str, Any] = context._about  # pyright: ignore[reportPrivateUsage]
    if about.get("era") == "legacy" and about.get("clientInfo") is None and not face.current.own_words:
        # Without a handshake there is nobody to ask.
        methods: dict[type, str] = {Elicit: "elicitation/create", Sample: "sampling/createMessage"}
        raise NoBackChannelError(methods.get(type(cast("object", question)), "roots/list"))
    if not has:
        message = f"Client did not declare the {words} capability required by resolver {label!r}"
        raise McpError(-32021, message, {"requiredCapabilities": missing})


# Signatures


def _hints(fn: Callable[..., Any]) -> dict[str, Any]:
    target = fn if inspect.isroutine(fn) else getattr(cast("Any", type(fn)), "__call__", fn)
    try:
        return typing.get_type_hints(target, include_extras=True)
    except Exception:
        return {}


def _resolved_parameters(fn: Callable[..., Any]) -> dict[str, tuple[Resolve, bool]]:
    """By resolved parameter, its marker and whether it gets the whole outcome."""
    hints = _hints(fn)
    found: dict[str, tuple[Resolve, bool]] = {}
    for name in inspect.signature(fn).parameters:
        hint = hints.get(name)
        if get_origin(hint) is not Annotated:
            if _contains_marker(hint):
                raise InvalidSignature(
                    f"Parameter {name!r} of {_name(fn)!r} has Resolve(...) inside a union: "
                    "annotate the parameter itself, Annotated[T, Resolve(...)]"
                )
            continue
        kind, *metadata = get_args(hint)
        marker = next((item for item in metadata if isinstance(item, Resolve)), None)
        if marker is not None:
            found[name] = marker, _wants_outcome(kind)
    return found


def find_resolved_parameters(fn: Callable[..., Any]) -> dict[str, tuple[Resolve, bool]]:
    """The parameters of a function that are marked with `Resolve`, by name: the marker, and
    whether the parameter gets the whole outcome of a question (2.x).

    Args:
        fn: The function.
    """
    return _resolved_parameters(fn)


def returns_input_required(fn: Callable[..., Any]) -> bool:
    """Whether the return annotation of a function has `InputRequiredResult` (2.x).

    Args:
        fn: The function.
    """
    return _may_ask(_hints(fn).get("return"))


def build_resolver_plans(*_: Any, **__: Any) -> Any:
    """Refuse: resolvers are analyzed when a tool is added.

    Raises:
        UsageError: Always.
    """
    from ...shared.exceptions import UsageError

    raise UsageError("build_resolver_plans is private to the official package: add the function with add_tool")


async def resolve_arguments(*_: Any, **__: Any) -> Any:
    """Refuse: resolvers run when a tool is called.

    Raises:
        UsageError: Always.
    """
    from ...shared.exceptions import UsageError

    raise UsageError("resolve_arguments is private to the official package: call the tool with call_tool")


def _contains_marker(hint: Any) -> bool:
    if get_origin(hint) is Annotated:
        return any(isinstance(item, Resolve) for item in get_args(hint)[1:])
    return any(_contains_marker(item) for item in get_args(hint))


def _wants_outcome(kind: Any) -> bool:
    # A type alias has the union as its value, with or without type parameters.
    kind = getattr(kind, "__value__", None) or getattr(get_origin(kind), "__value__", None) or kind
    members = get_args(kind) if get_origin(kind) in (typing.Union, types.UnionType) else (kind,)
    return any(isinstance(member, type) and issubclass(member, _OUTCOMES) for member in members)


def _may_ask(hint: Any) -> bool:
    # By its name, as each line has its own.
    is_asking = isinstance(hint, type) and hint.__name__ == "InputRequiredResult"
    return is_asking or any(_may_ask(item) for item in get_args(hint))


def _is_context(hint: Any) -> bool:
    return hint is not None and means_context(hint)


def _check(fn: Callable[..., Any], arguments: set[str], above: tuple[Any, ...]) -> None:
    """Check that all parameters of a resolver can be filled."""
    key = _key(fn)
    if key in above:
        raise InvalidSignature(f"Resolver {_name(fn)!r} has a cyclic dependency")
    hints, wanted = _hints(fn), _resolved_parameters(fn)
    for name in inspect.signature(fn).parameters:
        if name in wanted:
            _check(wanted[name][0].fn, arguments, (*above, key))
        elif not _is_context(hints.get(name)) and name not in arguments:
            raise InvalidSignature(
                f"Resolver {_name(fn)!r} parameter {name!r} cannot be resolved: "
                "expected a Context, an Annotated[_, Resolve(...)], or a tool argument by name"
            )
    _check_questions(fn, hints.get("return"))


def _check_questions(fn: Callable[..., Any], hint: Any) -> None:
    arms = get_args(hint) if get_origin(hint) in (typing.Union, types.UnionType) else (hint,)
    asked = [arm for arm in arms if (get_origin(arm) or arm) in (Elicit, Sample, ListRoots)]
    if len(asked) > 1:
        raise InvalidSignature(f"Resolver {_name(fn)!r} may ask several kinds of questions: make it several resolvers")


def _key(fn: Callable[..., Any]) -> Any:
    owner = getattr(fn, "__self__", None)
    return fn if owner is None else (id(owner), getattr(fn, "__func__", getattr(fn, "__name__", fn)))


def _name(fn: Callable[..., Any]) -> str:
    return getattr(fn, "__name__", None) or type(fn).__name__


def _label(fn: Callable[..., Any]) -> str:
    kind = cast("Any", type(fn))
    module = getattr(fn, "__module__", None) or kind.__module__
    return f"{module}:{getattr(fn, '__qualname__', None) or kind.__qualname__}"
