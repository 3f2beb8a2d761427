"""A question to a client that did not say it can answer.

Owns: what a program is told instead of the answer.
"""

from __future__ import annotations

from .._switches import switches
from ..shared.exceptions import McpError

_NAMES = {
    "elicitation/create": "Elicitation",
    "roots/list": "List roots",
    "sampling/createMessage": "Sampling",
}


def undeclared(error: McpError, method: str) -> McpError:
    """A failure of a question, as a program finds it.

    The official package asks every client, and those written with it refuse in these words.
    Here the question is not even sent, under either name.
    """
    if switches.official and error.kind == "missing_client_capability" and method in _NAMES:
        return McpError(-32600, f"{_NAMES[method]} not supported")
    return error
