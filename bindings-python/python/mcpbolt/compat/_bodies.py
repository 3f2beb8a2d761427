"""What the official package says of an HTTP body that is not a message.

Owns: those words, which are those of `json` and of pydantic. Must not know: how a body is
refused.
"""

from __future__ import annotations

import json
from typing import Any

from .._engine.json import dumps
from ..server._error_responses import INVALID_PARAMS, PARSE_ERROR


async def word_body(payload: dict[str, Any]) -> str:
    """The code and the message of the refusal as JSON; `null` for a body that is a message."""
    from pydantic import ValidationError

    from ..types import JSONRPCMessage

    try:
        JSONRPCMessage.model_validate(json.loads(payload["body"]))
    except json.JSONDecodeError as error:
        return dumps([PARSE_ERROR, f"Parse error: {error}"])
    except ValidationError as error:
        return dumps([INVALID_PARAMS, f"Validation error: {error}"])
    return "null"
