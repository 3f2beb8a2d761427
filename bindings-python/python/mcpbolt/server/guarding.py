"""Guard rails that a program provides: authorization, audit, and filtering of results.

Owns: what the program's functions are called with, and how their answers get back to the
engine, which calls them, waits for them and applies them. Must not know: handlers.
"""

from __future__ import annotations

import logging
import os
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from inspect import isawaitable
from itertools import count
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Union, cast

from .._engine.json import dumps, model_dict

if TYPE_CHECKING:
    from .._engine.driver import Driver

__all__ = ["Action", "Asker", "Audit", "Authorize", "Deny", "ErrorDetail", "SanitizeResult", "Verdict"]

logger: logging.Logger = logging.getLogger("mcp.server.guarding")

ErrorDetail = Literal["message", "masked"]
"""What clients see of unexpected exceptions: `"message"`, their messages, or `"masked"`, only an
id that is in the log too.
"""


class Deny(TypedDict):
    """Refuses an action; the client sees the reason."""

    deny: str
    """The reason, which the client sees."""


Verdict = Union[Literal["allow", "hide"], Deny]
"""The decision on an action: `"allow"`; `"hide"`, so that the object seems not to exist; or
`{"deny": reason}`, which refuses it with a reason that the client sees.
"""


@dataclass(frozen=True)
class Action:
    """An action of a client on one object, or one entry of a list that it asked for."""

    verb: Literal["call", "read", "get", "complete", "subscribe", "list"]
    """The operation; `list` for an entry of a list."""
    thing: str
    """The kind of object: `tool`, `resource`, `template`, `prompt` or, of an extension, `method`."""
    name: str
    """The object's name, or its URI. `authorize` is asked about a resource once more if handlers may
    get its URI in another spelling than the client's, e.g. `file:///a/../b` as `file:///b`: the
    stricter verdict holds.
    """


@dataclass(frozen=True)
class Asker:
    """The client whose action is to be decided."""

    connection: int
    """The number of its connection or session, unique in this process."""
    transport: str
    """The transport it uses: `stdio`, `memory`, `http` and so on."""
    peer: str | None
    """The peer's address and port, if the engine has the socket; else `None`."""
    principal: str | None
    """The authenticated user or client, if credentials were checked; else `None`."""
    headers: list[tuple[str, str]] | None
    """The headers of the HTTP request; `None` for other transports."""
    client_info: dict[str, Any] | None
    """The name and version that the client sent, not verified; `None` without them."""
    revision: str
    """The protocol revision that the client uses."""

    def header(self, name: str) -> str | None:
        """The value of the first header with this name, in upper or lower case; `None` without
        one.

        Args:
            name: The name of the header.
        """
        wanted = name.lower()
        return next((value for found, value in self.headers or () if found.lower() == wanted), None)


Authorize = Callable[[Asker, Action], Union[Verdict, Awaitable[Verdict]]]
"""Decides whether a client may do or see something; may be async. If it raises, the action is
refused.
"""
Audit = Union[str, "os.PathLike[str]", Callable[[dict[str, Any]], Any]]
"""Where audit records of requests go: the path of a file of JSON lines, or a function that takes
one record as a dictionary and may be async. It is called with one record at a time. If it is too
slow, records are dropped, and it gets a record of how many: `{"lost": n}`.
"""
SanitizeResult = Callable[
    [str, Union[str, None], dict[str, Any]], Union[dict[str, Any], Awaitable[dict[str, Any]]]
]
"""Called with the method, the name of the tool or other object (or `None`), and the result as JSON
values; returns the result to send. May be async. If it raises, the call fails and the result is not
sent.
"""

# Servers may share a driver, so each has services with names of its own.
_numbers = count(1)


class Guarding:
    """The guard functions of one server.

    Args:
        authorize: Decides what each client may do and see. Default: everything is allowed.
        audit: Where to write a record of each request. Default: nowhere.
        sanitize_result: Returns each result as it is to be sent. Default: results are sent
            unchanged.
        error_detail: What clients see of unexpected exceptions. Default: the engine's option of
            that name, else their messages.
    """

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
        """Answer the engine's guard requests on a driver.

        Args:
            driver: The driver of the server's loop.
            options: The engine's options so far.

        Returns:
            The options that make the engine ask, and the names of the services, which have to be
            removed when the server closes.
        """
        number = next(_numbers)
        made: dict[str, Any] = dict(options)
        services: dict[str, Callable[[Any], Awaitable[str]]] = {}
        if self.authorize is not None:
            made["authorize"] = name = f"server.authorize/{number}"
            services[name] = self._verdicts
            # The words are the same as for a resource that does not exist.
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
                verdicts.append(await self._verdict(asker, Action(**action)))
        return dumps(verdicts)

    async def _verdict(self, asker: Asker, action: Action) -> Any:
        """The strictest verdict on all that the client's words may lead to."""
        found: Any = "allow"
        for each in _spellings(action):
            verdict: Any = cast("Authorize", self.authorize)(asker, each)
            if isawaitable(verdict):
                verdict = await verdict
            found = max(found, verdict, key=_strictness)
        return found

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


def _spellings(action: Action) -> list[Action]:
    """The action as the client named it and, if that differs, as handlers whose URIs are models
    get it. Which of them a server has does not matter: no spelling gets past a verdict.
    """
    if action.thing != "resource":
        return [action]
    from ._uri_spelling import as_model

    name = as_model(action.name)
    return [action] if name == action.name else [action, replace(action, name=name)]


def _strictness(verdict: Any) -> int:
    """Which verdict holds: the highest. What is no verdict denies."""
    return 0 if verdict == "allow" else 2 if verdict == "hide" else 1


class _told:
    """Logs what a function raises. The engine then refuses."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: Any, error: BaseException | None, __: Any) -> None:
        if isinstance(error, Exception):
            logger.error("%s failed", self._name, exc_info=error)


def masked_words(error: BaseException, what: str) -> str:
    """The message that a client gets in place of an exception's own. The exception is logged
    under the same id.

    Args:
        error: The exception.
        what: What failed, for the log.
    """
    number = secrets.token_hex(8)
    logger.error("internal error (id %s) in %s", number, what, exc_info=error)
    return f"internal error (id {number})"
