"""Messages of the engine for streams of a program, which cannot carry all of them.

The engine writes numbers of any length, and Python reads no integer of more than 4300 digits.

Owns: what becomes of a message that a stream cannot carry, so that nobody waits for it. Must not
know: how messages reach the stream.
"""

from __future__ import annotations

import json
import logging
import re
from typing import TYPE_CHECKING, Any, cast

from .._engine.json import dumps
from .._engine.peer import Unsendable

if TYPE_CHECKING:
    from ..types import JSONRPCMessage

_INTERNAL_ERROR = -32603
_BETWEEN = re.compile(r"[\s,]*")


def sendable(text: str, logger: logging.Logger) -> list[JSONRPCMessage | Unsendable]:
    """A text of the engine as models: one message, or the parts of a batch. In place of an answer
    that a stream cannot carry there is an error, in place of a request an `Unsendable`, and in place
    of a notification nothing; the logger is told of answers and notifications.
    """
    from ..types import JSONRPCMessage

    found: list[JSONRPCMessage | Unsendable] = []
    for part in _parts(text):
        try:
            found.append(JSONRPCMessage.model_validate_json(part))
        except ValueError as error:
            found += _instead(part, error, logger)
    return found


def _instead(part: str, error: ValueError, logger: logging.Logger) -> list[JSONRPCMessage | Unsendable]:
    from ..types import JSONRPCMessage

    head: dict[str, Any] = json.loads(part, parse_int=_short)
    method, number = head.get("method"), head.get("id")
    if method is None and number is None:
        return [_without_id(head["error"])]
    words = f"the message cannot be put on the stream: {_reason(error)}"
    if number is None:
        logger.error("%s was not sent: %s", method, words)
        return []
    failure = {"jsonrpc": "2.0", "id": number, "error": {"code": _INTERNAL_ERROR, "message": words}}
    if method is not None:
        return [Unsendable(method, dumps(failure))]
    logger.error("An answer was not sent: %s", words)
    return [JSONRPCMessage.model_validate(failure)]


def _without_id(error: dict[str, Any]) -> JSONRPCMessage:
    """The answer to a message that could not be read. It has no id, which the model does not allow."""
    from ..types import ErrorData, JSONRPCError, JSONRPCMessage

    known = ErrorData.model_validate(error)
    whole = JSONRPCError.model_construct(jsonrpc="2.0", id=cast("Any", None), error=known)
    return JSONRPCMessage.model_construct(root=whole)


def _reason(error: ValueError) -> str:
    """What is wrong, without the message itself, which pydantic would show."""
    from pydantic import ValidationError

    return error.errors(include_input=False)[0]["msg"] if isinstance(error, ValidationError) else str(error)


def _parts(text: str) -> list[str]:
    if not text.startswith("["):
        return [text]
    decoder, parts = json.JSONDecoder(parse_int=_short), list[str]()
    at = _after(text, 1)
    while text[at] != "]":
        _, end = decoder.raw_decode(text, at)
        parts.append(text[at:end])
        at = _after(text, end)
    return parts


def _after(text: str, at: int) -> int:
    between = _BETWEEN.match(text, at)
    return at if between is None else between.end()


def _short(digits: str) -> int:
    # Ids and codes are short, and nothing else is looked at.
    return int(digits[:20])
