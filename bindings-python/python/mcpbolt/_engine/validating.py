"""A program's own validation of results, before it gets them.

Owns: what the program's function is called with, and how its verdict gets back to the engine,
which asks for it and refuses the result. Must not know: sessions.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from inspect import isawaitable
from itertools import count
from typing import TYPE_CHECKING, Any, Union

from .json import dumps

if TYPE_CHECKING:
    from .driver import Driver

logger: logging.Logger = logging.getLogger("client")

ValidateResult = Callable[
    [str, Union[str, None], dict[str, Any]], Union[str, None, Awaitable[Union[str, None]]]
]
"""Called with the method, the name and the result. Returns `None` to accept the result, or the
reason for refusing it. If it raises, the result is refused.
"""

# Clients share a driver, so each has a service with a name of its own.
_numbers = count(1)


def serve(driver: Driver, validate: ValidateResult) -> str:
    """Answer the engine's validation requests on a driver; returns the name of the service."""

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
