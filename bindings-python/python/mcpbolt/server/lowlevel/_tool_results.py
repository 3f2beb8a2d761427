"""One tool call through the low-level server: validating, calling, and making the result.

Owns: what a `call_tool` handler may return and what it becomes on the wire. Must not know:
connections.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Any, Protocol

from ..._engine.json import model_text, quote, readable, result_text, structured_text
from ..._engine.questions import is_question
from .._error_responses import is_for_the_client, is_meant
from .._exceptions import words_of
from ._validation import checker_of

if TYPE_CHECKING:
    from ... import types


class Checking(Protocol):
    """The server of a tool, as far as its calls need it."""

    input_checkers: dict[str, Any]
    output_checkers: dict[str, Any]

    @property
    def masked(self) -> bool:
        """Whether clients do not see the messages of unexpected exceptions."""
        ...

    async def get_tool_definition(self, name: str) -> types.Tool | None:
        """The definition of a tool as last listed."""
        ...


# What content blocks have as their `type`.
_KINDS = frozenset(("text", "image", "audio", "resource", "resource_link"))

ToolFunction = Callable[[str, "dict[str, Any]"], Awaitable[Any]]
# Loads the module of the models that programs get, when one is needed.
Models = Callable[[], Any]


def error_text(message: str) -> str:
    """A result with `isError` and this message."""
    return f'{{"content":[{{"type":"text","text":{quote(readable(message))}}}],"isError":true}}'


async def answer(
    server: Checking,
    func: ToolFunction,
    validate_input: bool,
    name: str,
    arguments: dict[str, Any],
    *,
    whole: bool = False,
) -> Any:
    """Call a tool. Returns the result as JSON text, or questions; a failure is a result too.
    With `whole`, a result that the handler made itself is sent unchanged.
    """
    try:
        tool = await server.get_tool_definition(name)
        if validate_input and tool is not None:
            fault = checker_of(server.input_checkers, name, tool.inputSchema).fault(arguments)
            if fault is not None:
                return error_text(f"Input validation error: {fault}")
        results = await func(name, arguments)
        if whole and is_final(results):
            return results
        schema = tool.outputSchema if tool is not None else None
        return answer_of(server, name, schema, results)
    except Exception as error:
        if is_for_the_client(error):
            raise
        if server.masked and not is_meant(error):
            from ..guarding import masked_words

            return error_text(masked_words(error, f"tool {name}"))
        return error_text(words_of(error))


def answer_of(
    server: Checking, name: str, schema: dict[str, Any] | None, results: Any, models: Models | None = None
) -> Any:
    """What a handler returned, as a tool result in JSON text; questions are returned unchanged.
    `models` loads those of a server of 2.x, whose structured content may be any JSON value; without
    them the rules of 1.x hold.
    """
    value: Any = results
    if isinstance(results, tuple) and len(value) == 2:
        content, structured = value
    elif isinstance(results, dict):
        block = f'{{"type":"text","text":{quote(json.dumps(value, indent=2))}}}'
        return _checked(server, name, schema, lambda: block, value)
    elif is_final(value):
        return result_text(value)
    elif is_question(value):
        return value
    elif hasattr(value, "__iter__"):
        content, structured = value, None
    else:
        return error_text(f"Unexpected return type from tool: {_name_of(value)}")
    return _checked(server, name, schema, lambda: _blocks_text(content, structured, models), structured)


def _blocks_text(content: Iterable[Any], structured: Any, models: Models | None) -> str:
    blocks = list(content)
    fits = models is not None or structured is None or isinstance(structured, dict)
    # Models were validated when they were made; what else a handler returns has to be.
    if not fits or not all(map(_is_block, blocks)):
        blocks = _validated(blocks, structured, models)
    return content_text(blocks)


def _is_block(block: Any) -> bool:
    kind = getattr(block, "type", None)
    return isinstance(kind, str) and kind in _KINDS and hasattr(block, "model_dump_json")


def _validated(blocks: list[Any], structured: Any, models: Models | None) -> list[Any]:
    """Content blocks as models. What is no block, and structured content that is not an object,
    which 1.x requires, is refused in pydantic's words.
    """
    from pydantic import create_model

    from ... import types

    block: Any = types.ContentBlock if models is None else models().ContentBlock
    structure: Any = dict[str, Any] | None if models is None else Any
    fields: dict[str, Any] = {"content": (list[block], ...), "structuredContent": (structure, None)}
    result: Any = create_model("CallToolResult", **fields)(content=blocks, structuredContent=structured)
    validated: list[Any] = result.content
    return validated


def _name_of(value: Any) -> str:
    return str(value.__class__.__name__)


def is_final(results: Any) -> bool:
    """Whether a handler returned a whole result, which is sent unchanged."""
    fields: Any = getattr(results.__class__, "model_fields", ())
    return "content" in fields and ("isError" in fields or "is_error" in fields) or ("task" in fields and "content" not in fields)


def content_text(content: Iterable[Any]) -> str:
    """Content blocks, which are models, as JSON text, separated by commas."""
    return ",".join(map(model_text, content))


def _checked(server: Checking, name: str, schema: Any, content: Callable[[], str], structured: Any) -> str:
    # Before validation, in which NaN would count as null.
    text = None if structured is None else structured_text(structured)
    if schema is not None:
        if structured is None:
            return error_text("Output validation error: outputSchema defined but no structured output returned")
        fault = checker_of(server.output_checkers, name, schema).fault(structured)
        if fault is not None:
            return error_text(f"Output validation error: {fault}")
    member = "" if text is None else f'"structuredContent":{text},'
    return f'{{"content":[{content()}],{member}"isError":false}}'
