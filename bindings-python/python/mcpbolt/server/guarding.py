"""Guard rails that a program writes: who may do what, the audit, what leaves.

Owns: what the functions are given, and how their answers go back to the engine, which
asks them, waits for them and does what they say. Must not know: handlers.
"""

from __future__ import annotations

import logging
import os
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from inspect import isawaitable
from itertools import count
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Union, cast

from .._json import dumps, model_dict

if TYPE_CHECKING:
    from .._loop import Driver

__all__ = ["Action", "Asker", "Audit", "Authorize", "Deny", "ErrorDetail", "SanitizeResult", "Verdict"]

logger: logging.Logger = logging.getLogger("mcp.server.guarding")

ErrorDetail = Literal["message", "masked"]
"""What clients learn of exceptions that were not written for them."""


class Deny(TypedDict):
    """Refused; the client reads the reason."""

    deny: str


Verdict = Union[Literal["allow", "hide"], Deny]
"""What becomes of an action: `"allow"`; `"hide"`, as if the thing did not exist;
`{"deny": reason}`."""


@dataclass(frozen=True)
class Action:
    """Something that a client wants to do, or an entry of a list that it wants to see."""

    verb: Literal["call", "read", "get", "complete", "subscribe", "list"]
    """The verb of the action, such as `call` or `read`."""
    thing: str
    """The kind of thing it is done to: `tool`, `resource`, `template` or `prompt`."""
    name: str
    """The name, or the URI, of what it is done to."""


@dataclass(frozen=True)
class Asker:
    """Who asks to perform an action."""

    connection: int
    """The number of the connection or session in this process."""
    transport: str
    """The transport the request came over: `stdio`, `memory`, `http` and so on."""
    peer: str | None
    """Address and port, where the engine has the socket."""
    principal: str | None
    """The principal, where credentials were checked."""
    headers: list[tuple[str, str]] | None
    """The headers of the HTTP request, over HTTP."""
    client_info: dict[str, Any] | None
    """Name and version the client gives itself. This is not verified."""
    revision: str
    """The revision of the protocol it speaks."""

    def header(self, name: str) -> str | None:
        """The first header of a name, in any case."""
        wanted = name.lower()
        return next((value for found, value in self.headers or () if found.lower() == wanted), None)


Authorize = Callable[[Asker, Action], Union[Verdict, Awaitable[Verdict]]]
"""Decides what a client may do and see. One that raises refuses."""
Audit = Union[str, "os.PathLike[str]", Callable[[dict[str, Any]], Any]]
"""Where records of requests go: a file of JSON lines, or a function of one record. The
function is called for one record at a time; what it is too slow for is lost, and it is
told how many: `{"lost": n}`."""
SanitizeResult = Callable[
    [str, Union[str, None], dict[str, Any]], Union[dict[str, Any], Awaitable[dict[str, Any]]]
]
"""Is given method, name and result, and returns the result as it may leave. If it raises,
nothing leaves."""

# Servers may share a driver: each has services by names of its own.
_numbers = count(1)


class Guarding:
    """The functions of one server."""

    def __init__(
        self,
        authorize: Authorize | None = None,
        audit: Audit | None = None,
        sanitize_result: SanitizeResult | None = None,
        error_detail: ErrorDetail | None = None,
    ) -> None:
        self.authorize = authorize
        self.audit = audit
        self.sanitize_result = sanitize_result
        self.error_detail = error_detail

    def serve(self, driver: Driver, options: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
        """Answer the engine's questions on a driver. The options that make it ask, and the
        names of the services, to be taken away with the server.
        """
        number = next(_numbers)
        made: dict[str, Any] = dict(options)
        services: dict[str, Callable[[Any], Awaitable[str]]] = {}
        if self.authorize is not None:
            made["authorize"] = name = f"server.authorize/{number}"
            services[name] = self._verdicts
            # In the words of a resource that is not there.
            made.setdefault("hidden_resource", "Unknown resource: {name}")
        if callable(self.audit):
            name = f"audit.record/{number}"
            made["audit"] = {**made.get("audit", {}), "service": name}
            services[name] = self._record
        elif self.audit is not None:
            made["audit"] = {**made.get("audit", {}), "path": os.fspath(self.audit)}
        if self.sanitize_result is not None:
            made["sanitize_result"] = name = f"result.sanitize/{number}"
            services[name] = self._sanitized
        if self.error_detail is not None:
            made["error_detail"] = self.error_detail
        driver.services.update(services)
        return made, list(services)

    async def _verdicts(self, payload: dict[str, Any]) -> str:
        said = payload["asker"]
        asker = Asker(
            connection=said["connection"],
            transport=said["transport"],
            peer=said["peer"],
            principal=said["principal"],
            headers=None if said["headers"] is None else [(name, value) for name, value in said["headers"]],
            client_info=said["clientInfo"],
            revision=said["revision"],
        )
        verdicts: list[Any] = []
        with _told("authorize"):
            for action in payload["actions"]:
                verdict: Any = cast("Authorize", self.authorize)(asker, Action(**action))
                verdicts.append(await verdict if isawaitable(verdict) else verdict)
        return dumps(verdicts)

    async def _record(self, record: dict[str, Any]) -> str:
        with _told("audit"):
            done: Any = cast("Callable[[Any], Any]", self.audit)(record)
            if isawaitable(done):
                await done
        return "null"

    async def _sanitized(self, payload: dict[str, Any]) -> str:
        with _told("sanitize_result"):
            sanitize = cast("SanitizeResult", self.sanitize_result)
            result: Any = sanitize(payload["method"], payload["name"], payload["result"])
            if isawaitable(result):
                result = await result
            return dumps(model_dict(result) if hasattr(result, "model_dump") else result)


class _told:
    """Logs what a function raises; the engine refuses then."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: Any, error: BaseException | None, __: Any) -> None:
        if isinstance(error, Exception):
            logger.error("%s failed", self._name, exc_info=error)


def masked_words(error: BaseException, what: str) -> str:
    """What a client is told instead of an exception's words; the log has them, under the same id."""
    number = secrets.token_hex(8)
    logger.error("internal error (id %s) in %s", number, what, exc_info=error)
    return f"internal error (id {number})"
