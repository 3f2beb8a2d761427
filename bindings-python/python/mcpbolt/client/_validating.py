"""What a program thinks of a result before it gets it.

Owns: what the function is given, and how its verdict goes back to the engine, which asks
and refuses. Must not know: sessions.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from inspect import isawaitable
from itertools import count
from typing import TYPE_CHECKING, Any, Union

from .._json import dumps

if TYPE_CHECKING:
    from .._loop import Driver

logger: logging.Logger = logging.getLogger("client")

ValidateResult = Callable[
    [str, Union[str, None], dict[str, Any]], Union[str, None, Awaitable[Union[str, None]]]
]
"""Is given method, name and result; says why the result is refused, or `None`. One that raises
refuses."""

# Clients share a driver: each has a service by a name of its own.
_numbers = count(1)


def serve(driver: Driver, validate: ValidateResult) -> str:
    """Answer the engine's questions on a driver; the name of the service."""

    async def answer(payload: dict[str, Any]) -> str:
        try:
            verdict: Any = validate(payload["method"], payload["name"], payload["result"])
            if isawaitable(verdict):
                verdict = await verdict
        except Exception:
            logger.exception("validate_result failed")
            raise
        return dumps(verdict if verdict is None else str(verdict))

    name = f"result.validate/{next(_numbers)}"
    driver.services[name] = answer
    return name
