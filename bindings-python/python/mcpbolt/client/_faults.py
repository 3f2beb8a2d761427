"""Connection errors in the form that programs for the official package expect.

There, the task group of a transport raises what httpx raised, inside an exception group, at
the end of the `async with` that opened it; programs search that group for a 401 or a refused
connection. Here the failed request itself raises. Owns: turning the one form into the other
while this package stands in for the official one, if the request's error was not caught or
came from the handshake.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, cast

from .._engine import face
from ..shared._httpx_utils import http_library
from ..shared.exceptions import McpError
from ._words import refused_at, shown

if sys.version_info >= (3, 11):
    _Group: Any = ExceptionGroup
else:
    # The backport, which anyio depends on for Python 3.10.
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
    """Wrap the use of a transport, and raise its errors as exception groups.

    Args:
        url: The server's URL.
        method: The HTTP method of the requests that fail.
        carried: Returns what the program's HTTP client raised, if one is used.
        unopened: Returns the handshake's error. A program may catch it and then close what it
            opened, often an `AsyncExitStack`, to learn the reason.
    """
    try:
        yield
    except Exception as error:
        fault = _fault_of(error, url, method, carried()) if face.current.raises_groups else None
        if fault is None:
            raise
        raise _Group("unhandled errors in a TaskGroup", [fault]) from (None if fault is error else error)
    refused = unopened() if face.current.raises_groups else None
    fault = None if refused is None else _fault_of(refused, url, method, carried())
    if fault is not None:
        raise _Group("unhandled errors in a TaskGroup", [fault])


def grouped(error: BaseException) -> BaseException:
    """An exception in the group that the task group of a session raises, where there is one."""
    if not face.current.groups_errors or not isinstance(error, Exception):
        return error
    found: BaseException = _Group("unhandled errors in a TaskGroup", [error])
    return found


def words_of(error: Exception, url: str = "") -> str:
    """The message for a request that the HTTP client could not deliver."""
    if face.current.own_words and url:
        status = getattr(getattr(error, "response", None), "status_code", None)
        if status is not None and status >= 400:
            return refused_at(status, url)
        if shown(url) not in str(error):
            # Time-outs of `httpx` say nothing but their name.
            words = f": {error}" if str(error) else ""
            return f"{type(error).__name__}{words} ({shown(url)})"
    return f"{type(error).__name__}: {error}"


def _fault_of(error: Exception, url: str, method: str, carried: Exception | None) -> Exception | None:
    if error is carried:
        return error
    for found in _all_in(error):
        # A "Connection closed" error, as the official package raises it, has the real one as
        # cause.
        known = found.__cause__ if isinstance(found.__cause__, McpError) else found
        if carried is not None and known.message == words_of(carried):
            return carried
        if known.local and known.kind in _KINDS:
            return _as_httpx(known.message, url, method)
    return None


def _all_in(error: BaseException) -> Iterator[McpError]:
    if isinstance(error, McpError):
        yield error
    for inner in cast("tuple[BaseException, ...]", getattr(error, "exceptions", ())):
        yield from _all_in(inner)


def _as_httpx(words: str, url: str, method: str) -> Exception:
    httpx = http_library()
    found = _STATUS.search(words)
    request = httpx.Request(method, url)
    if found is None:
        unreached: Exception = httpx.ConnectError("All connection attempts failed", request=request)
        return unreached
    response: Any = httpx.Response(int(found[1] or found[2]), request=request)
    try:
        response.raise_for_status()
    except httpx.HTTPStatusError as error:
        refused: Exception = error.with_traceback(None)
        return refused
    other: Exception = httpx.HTTPStatusError(words, request=request, response=response)
    return other
