"""How a server that cannot be asked shows itself to programs of the official package.

There the task group of a transport raises what httpx raised, in a group, out of the
`async with` that opened it; programs look for a 401 or a refused connection in there.
Here the request that failed raises it. Owns: the one made of the other, under the
official package's name, where the first was not caught or came from the handshake.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, cast

from .._switches import switches
from ..shared.exceptions import McpError
from ._words import refused_at, shown

if sys.version_info >= (3, 11):
    _Group: Any = ExceptionGroup
else:
    # Comes with anyio, where the language has none.
    _Group: Any = import_module("exceptiongroup").ExceptionGroup

_STATUS = re.compile(r"HTTP status (\d{3})|\((\d{3})\)$")
_KINDS = ("transport", "unauthorized", "forbidden")


@contextmanager
def faults_as_groups(
    url: str,
    method: str = "POST",
    carried: Callable[[], Exception | None] = lambda: None,
    unopened: Callable[[], Exception | None] = lambda: None,
) -> Generator[None, None, None]:
    """Around what uses a transport.

    Args:
        url: Where its server is.
        method: What the requests are that fail.
        carried: What an HTTP client of the program's raised, if one carries the messages.
        unopened: What the handshake failed with. A program that caught it may close what it
            opened, often an `AsyncExitStack`, to be told why.
    """
    try:
        yield
    except Exception as error:
        fault = _fault_of(error, url, method, carried()) if switches.official else None
        if fault is None:
            raise
        raise _Group("unhandled errors in a TaskGroup", [fault]) from (None if fault is error else error)
    refused = unopened() if switches.official else None
    fault = None if refused is None else _fault_of(refused, url, method, carried())
    if fault is not None:
        raise _Group("unhandled errors in a TaskGroup", [fault])


def words_of(error: Exception, url: str = "") -> str:
    """What a request is refused with that an HTTP client could not carry."""
    if switches.own_words and url:
        status = getattr(getattr(error, "response", None), "status_code", None)
        if status is not None and status >= 400:
            return refused_at(status, url)
        if shown(url) not in str(error):
            return f"{type(error).__name__}: {error} ({shown(url)})"
    return f"{type(error).__name__}: {error}"


def _fault_of(error: Exception, url: str, method: str, carried: Exception | None) -> Exception | None:
    if error is carried:
        return error
    for found in _all_in(error):
        if carried is not None and found.message == words_of(carried):
            return carried
        # Shown as "Connection closed", as the official package has it, it still knows why.
        known = found.__cause__ if isinstance(found.__cause__, McpError) else found
        if known.local and known.kind in _KINDS:
            return _as_httpx(known.message, url, method)
    return None


def _all_in(error: BaseException) -> Iterator[McpError]:
    if isinstance(error, McpError):
        yield error
    for inner in cast("tuple[BaseException, ...]", getattr(error, "exceptions", ())):
        yield from _all_in(inner)


def _as_httpx(words: str, url: str, method: str) -> Exception:
    import httpx

    found = _STATUS.search(words)
    request = httpx.Request(method, url)
    if found is None:
        return httpx.ConnectError("All connection attempts failed", request=request)
    response: Any = httpx.Response(int(found[1] or found[2]), request=request)
    try:
        response.raise_for_status()
    except httpx.HTTPStatusError as error:
        return error.with_traceback(None)
    return httpx.HTTPStatusError(words, request=request, response=response)
