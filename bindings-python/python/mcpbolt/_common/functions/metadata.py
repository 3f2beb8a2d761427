"""What the signature of a function means: the schema of its arguments, the schema of its
result, and the conversion of values.

Owns: plain signatures. All others, and every refusal, are left to pydantic, in `models`. Must
not know: what a function is registered as.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from types import UnionType
from typing import TYPE_CHECKING, Any, ClassVar, Union, cast, get_args, get_origin

from ..._engine import face
from ..._engine.json import dumps, refuse_not_finite
from ..._engine.questions import is_question
from ..._naming import found_in
from ...server._exceptions import InvalidSignature
from ...shared._definitions import WithModels
from .content import is_final, refuse_coroutine, to_content, whole_of
from .plain import Arguments, NotPlain, Output, scalar_result

if TYPE_CHECKING:
    from pydantic import BaseModel

    from ..._mcpbolt import Written
    from .models import ArgModelBase

_MISSING = inspect.Parameter.empty


@found_in("server.fastmcp.utilities.func_metadata")
class FuncMetadata(WithModels):
    """How a function is described and called. Models are made on first use.

    Args:
        arg_model: The model that validates arguments. Default: made from the function on first use.
        output_schema: The JSON Schema of results. Default: made from `output_model`, or none.
        output_model: The model that validates results. Default: made from the function on first
            use.
        wrap_output: Whether a result that is not an object, such as a number, is wrapped in an object
            with the member `result`. Default: no.
    """

    # Whether results are decided on as in 2.x, see `only_data` of `func_metadata`.
    _of_2: ClassVar[bool] = False

    def __init__(
        self,
        arg_model: type[ArgModelBase] | None = None,
        output_schema: dict[str, Any] | None = None,
        output_model: type[Any] | None = None,
        wrap_output: bool = False,
    ) -> None:
        self._arg_model = arg_model
        self._output_model = output_model
        self.output_schema = output_schema
        self.wrap_output: bool = wrap_output
        self._name = ""
        self._parameters: list[inspect.Parameter] = []
        self._annotation: Any = _MISSING
        self._arguments: Arguments | None = None
        self._output: Output | None = None
        self._fields: dict[str, Any] | None = None
        self._only_data = self._of_2 or face.current.api == 2
        if self._only_data and output_model is not None and output_schema is None:
            from .models import schema_of

            self.output_schema = schema_of(output_model)

    # Description

    def _read_arguments(self, name: str, parameters: list[inspect.Parameter]) -> None:
        self._name, self._parameters = name, parameters
        try:
            self._arguments = Arguments(name, parameters)
        except NotPlain:
            self.arg_model  # errors are raised when a function is registered

    def _read_output(self, annotation: Any, demanded: bool) -> None:
        self._annotation = annotation
        if annotation is _MISSING:
            if demanded:
                raise InvalidSignature(
                    f"Function {self._name}: return annotation required for structured output"
                )
            return
        try:
            self._output = Output(self._name, annotation)
        except NotPlain:
            if demanded or not self._is_for_the_model(annotation):
                self._read_output_model(demanded)
        else:
            self.output_schema, self.wrap_output = self._output.schema, self._output.wraps

    def _is_for_the_model(self, annotation: Any) -> bool:
        if not self._only_data:
            return False
        from .models import is_content

        return is_content(annotation)

    def _read_output_model(self, demanded: bool = False) -> None:
        from .models import output_model

        found = output_model(self._name, self._annotation, demanded, only_data=self._only_data)
        if found is not None:
            self._output_model = found.model
            if self._output is None:
                self.output_schema, self.wrap_output = found.schema, found.wraps

    @property
    def arg_model(self) -> type[ArgModelBase]:
        """The pydantic model of the arguments."""
        if self._arg_model is None:
            from .models import arguments_model

            self._arg_model = arguments_model(self._name, self._parameters)
        return self._arg_model

    @arg_model.setter
    def arg_model(self, model: type[ArgModelBase]) -> None:
        self._arg_model, self._arguments, self._fields = model, None, None

    @property
    def output_model(self) -> type[BaseModel] | None:
        """The pydantic model of the result; `None` if it has no structure."""
        if self._output_model is None and self._output is not None:
            self._read_output_model()
        return self._output_model

    @output_model.setter
    def output_model(self, model: type[BaseModel] | None) -> None:
        self._output_model, self._output = model, None

    def input_schema(self) -> dict[str, Any]:
        """The JSON Schema of the arguments."""
        if self._arguments is not None:
            return cast("dict[str, Any]", _copy(self._arguments.schema))
        return self.arg_model.model_json_schema(by_alias=True)

    # Arguments

    def bind(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Validate arguments and return those to call the function with.

        Args:
            arguments: The arguments by name.

        Raises:
            ValidationError: The arguments do not fit (an error of pydantic).
        """
        if self._arguments is not None:
            bound = self._arguments.bind(arguments)
            if bound is not None:
                return bound
        parsed = self.arg_model.model_validate(self.pre_parse_json(arguments))
        return parsed.model_dump_one_level()

    def pre_parse_json(self, data: dict[str, Any]) -> dict[str, Any]:
        """Parse arguments given as JSON text whose parameter is not text, since some clients
        send lists and objects that way.

        Args:
            data: The arguments by name.
        """
        if self._fields is None:
            fields = self.arg_model.model_fields
            self._fields = {**fields, **{field.alias: field for field in fields.values() if field.alias}}
        return {key: self._parsed(self._fields.get(key), value) for key, value in data.items()}

    @staticmethod
    def _parsed(field: Any, value: Any) -> Any:
        if field is None or not isinstance(value, str) or field.annotation is str:
            return value
        try:
            parsed = json.loads(value)
        except (ValueError, RecursionError):
            # Not JSON, or more digits or levels than the parser takes.
            return value
        # A quoted word or a number is most likely meant to be text.
        return value if isinstance(parsed, (str, int, float)) else parsed

    def validate_arguments(self, arguments_to_validate: dict[str, Any]) -> dict[str, Any]:
        """Validate arguments and return those to call the function with (2.x).

        Args:
            arguments_to_validate: The arguments by name.
        """
        return self.bind(arguments_to_validate)

    async def call_fn(
        self,
        fn: Callable[..., Any],
        fn_is_async: bool,
        arguments: dict[str, Any],
        arguments_to_pass_directly: dict[str, Any] | None = None,
    ) -> Any:
        """Call the function with validated arguments (2.x). A plain function runs on a worker
        thread.

        Args:
            fn: The function.
            fn_is_async: Whether the function is async.
            arguments: The arguments by name, as `validate_arguments` returns them.
            arguments_to_pass_directly: Further arguments, which are not validated. Default: none.
        """
        every = arguments | (arguments_to_pass_directly or {})
        if fn_is_async:
            return await fn(**every)
        from anyio.to_thread import run_sync

        return await run_sync(partial(fn, **every))

    async def call_fn_with_arg_validation(
        self,
        fn: Callable[..., Any | Awaitable[Any]],
        fn_is_async: bool,
        arguments_to_validate: dict[str, Any],
        arguments_to_pass_directly: dict[str, Any] | None,
        pre_validated: dict[str, Any] | None = None,
    ) -> Any:
        """Validate the arguments and call the function with them.

        Args:
            fn: The function.
            fn_is_async: Whether the function is async.
            arguments_to_validate: The arguments by name.
            arguments_to_pass_directly: Further arguments, which are not validated; `None` for none.
            pre_validated: Validated arguments to use instead of `arguments_to_validate` (2.x).
                Default: none.
        """
        arguments = self.bind(arguments_to_validate) if pre_validated is None else pre_validated
        if self._only_data:
            return await self.call_fn(fn, fn_is_async, arguments, arguments_to_pass_directly)
        arguments = arguments | (arguments_to_pass_directly or {})
        result = fn(**arguments)
        return await result if fn_is_async else result

    # Results

    def convert_result(self, result: Any) -> Any:
        """Convert a result to content blocks, alone or together with structured content; in 2.x
        to a `CallToolResult`.

        Args:
            result: The value that the function returned.
        """
        found = self.converted(result)
        return whole_of(found, self._models) if self._only_data and not is_question(found) else found

    def converted(self, result: Any) -> Any:
        """The parts of a result: content blocks, alone or together with structured content.
        Questions and results that are whole stay as they are.

        Args:
            result: The value that the function returned.
        """
        if is_question(result):
            return result
        refuse_coroutine(result)
        if is_final(result):
            # In 2.x an error is not what the schema describes.
            if self._has_structure() and not (result.isError and self._only_data):
                self._validated(result.structuredContent)
            return result
        content = to_content(result, self._models)
        if not self._has_structure():
            return content
        return content, self.structured(result)

    def structured(self, result: Any) -> Any:
        """Validate a result with its model and return it as JSON values.

        Args:
            result: The value that the function returned.
        """
        wrapped = {"result": result} if self.wrap_output else result
        if self._output is not None and self._output.accepts(result):
            return wrapped
        refuse_not_finite(wrapped)
        return self._validated(wrapped)

    def _has_structure(self) -> bool:
        # In 2.x a program may describe results and leave their structure to its function.
        return self.output_schema is not None and not (
            self._only_data and self._output is None and self.output_model is None
        )

    def _validated(self, value: Any) -> Any:
        model = self.output_model
        if self._only_data and model is not None:
            from .typed_dicts import as_json

            return as_json(model, value)
        assert model is not None, "Output model must be set if output schema is defined"
        return model.model_validate(value).model_dump(mode="json", by_alias=True)

    def result_text(self, result: Any) -> str | Written | None:
        """The whole answer for a plain result; `None` if it needs `convert_result`.

        Args:
            result: The value that the function returned.
        """
        output = self._output
        if is_question(result):
            return None
        if output is None:
            return scalar_result(result, False) if self.output_schema is None else None
        if self.output_schema is not output.schema or not output.accepts(result):
            return None
        if output.wraps:
            text = scalar_result(result, True)
            if text is not None:
                return text
        from ...server.lowlevel._tool_results import content_text

        structured = dumps({"result": result} if output.wraps else result)
        content = content_text(to_content(result, self._models))
        return f'{{"content":[{content}],"structuredContent":{structured},"isError":false}}'


face.current.shape(FuncMetadata)


@found_in("server.fastmcp.utilities.func_metadata")
def func_metadata(
    func: Callable[..., Any],
    skip_names: Sequence[str] = (),
    structured_output: bool | None = None,
    *,
    only_data: bool = False,
    kind: type[FuncMetadata] = FuncMetadata,
) -> FuncMetadata:
    """Analyse the signature of a function.

    Args:
        func: The function.
        skip_names: Names of parameters that are not arguments, such as that of the context. Default:
            none.
        structured_output: Whether results have structured content. `True`: they must, or
            registering fails. `False`: never. Default: if the return annotation allows it.
        only_data: Whether to decide as 2.x does: content blocks, and dictionaries of what pydantic
            does not know, have no structured content unless `structured_output` is true, and keys
            that are missing in a `TypedDict` are not sent. Default: no.
        kind: The class of what is returned. Default: `FuncMetadata`.

    Raises:
        InvalidSignature: The signature cannot be described to clients.
    """
    try:
        signature = inspect.signature(func, eval_str=True)
    except NameError as error:
        raise InvalidSignature(f"Unable to evaluate type annotations for callable {func.__name__!r}") from error
    parameters = [p for p in signature.parameters.values() if p.name not in skip_names]
    for parameter in signature.parameters.values():
        if parameter.name.startswith("_"):
            raise InvalidSignature(f"Parameter {parameter.name} of {func.__name__} cannot start with '_'")
    metadata = kind()
    metadata._only_data = only_data  # pyright: ignore[reportPrivateUsage]
    metadata._read_arguments(func.__name__, parameters)  # pyright: ignore[reportPrivateUsage]
    result = without_questions(signature.return_annotation)
    only_asks = result is _MISSING and signature.return_annotation is not _MISSING
    if structured_output is not False and not only_asks:
        metadata._read_output(result, structured_output is True)  # pyright: ignore[reportPrivateUsage]
    return metadata


def without_questions(annotation: Any) -> Any:
    """A return annotation without `InputRequiredResult`, which is not a result of the tool."""
    if _is_questions(annotation):
        return _MISSING
    if get_origin(annotation) not in (Union, UnionType):
        return annotation
    arms = get_args(annotation)
    kept = tuple(arm for arm in arms if not _is_questions(arm))
    if not kept:
        return _MISSING
    return annotation if len(kept) == len(arms) else Union[kept]


def _is_questions(annotation: Any) -> bool:
    return any(kind.__name__ == "InputRequiredResult" for kind in getattr(annotation, "__mro__", ()))


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copy(item) for key, item in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [_copy(item) for item in cast("Any", value)]
    return value
