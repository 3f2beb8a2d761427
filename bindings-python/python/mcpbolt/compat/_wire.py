"""What the official package does on a connection and the engine does not, for programs that
import this package under the official name.

Owns: which messages of one connection are answered, rewritten or added, so that a peer sees
the official package including its defects. Requests of 2026-07-28, which the official package
does not know, pass unchanged. Must not know: how the messages are carried.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Union, cast

from .._engine.json import dumps
from .._engine.methods import REQUESTS
from .._mcpbolt import EngineError, loads
from ..server._error_responses import INVALID_PARAMS, METHOD_NOT_FOUND

if TYPE_CHECKING:
    from .._engine.host import ServerHost

logger = logging.getLogger("mcp.server.lowlevel.server")

Id = Union[str, int]

_MODERN = "io.modelcontextprotocol/protocolVersion"
# How the engine's messages begin if they have an id.
_NUMBERED = re.compile(r'\{"jsonrpc":"2\.0","id":(-?\d+|"(?:[^"\\]|\\.)*"),"(result|error|method)":')
_WITHDRAWN = '{"jsonrpc":"2.0","method":"notifications/cancelled",'
_TROUBLE = dumps({
    "method": "notifications/message",
    "params": {"level": "error", "logger": "mcp.server.exception_handler", "data": "Internal Server Error"},
    "jsonrpc": "2.0",
})


class OfficialWire:
    """The messages of one connection, as the peer sees them."""

    def __init__(self, host: ServerHost, stateless: bool = False) -> None:
        self._host = host
        self._ready = stateless
        self._in_flight: set[Id] = set()
        # The ids of the server's own requests as text: a peer may return a number as a string.
        self._asked: set[str] = set()

    def take(self, raw: bytes | str) -> tuple[bytes | None, list[str]]:
        """Take a message of the peer. Returns what the engine gets of it, and what is sent at
        once.
        """
        data = raw.encode() if isinstance(raw, str) else raw
        try:
            message: Any = loads(data.decode(errors="replace"))
        except (ValueError, EngineError):
            return None, [self.trouble("a message is not JSON")]
        kind = _kind(message)
        if kind == "request":
            return self._request(cast("dict[str, Any]", message), data)
        if kind == "notification":
            return self._notification(cast("dict[str, Any]", message), data)
        number = str(cast("dict[str, Any]", message)["id"]) if kind == "reply" else ""
        if number in self._asked:
            self._asked.discard(number)
            return data, []
        if kind == "reply":
            return None, [self.trouble("a reply to no request")]
        return None, [self.trouble("a message is not of JSON-RPC 2.0")]

    def trouble(self, error: object) -> str:
        """The message to the peer after it sent something that is not a message."""
        logger.error("Received exception from stream: %s", error)
        return _TROUBLE

    def sent(self, texts: Iterable[str]) -> list[str]:
        """Convert messages of the engine to what the peer gets."""
        return [self._sent(text) for text in texts]

    def _sent(self, text: str) -> str:
        found = _NUMBERED.match(text)
        if found is None:
            if text.startswith(_WITHDRAWN):
                self._asked.discard(str(loads(text)["params"]["requestId"]))
            return text
        number: Id = loads(found[1])
        if found[2] == "method":
            self._asked.add(str(number))
            return text
        self._in_flight.discard(number)
        return text

    def _request(self, message: dict[str, Any], data: bytes) -> tuple[bytes | None, list[str]]:
        number, method = message["id"], message["method"]
        params: dict[str, Any] | None = message.get("params")
        if params and params.get("_meta", ...) is None:
            # The models of the official package are dumped without it.
            del params["_meta"]
            data = dumps(message).encode()
        if _is_modern(params):
            return data, []
        if method != "initialize" and not self._ready and method != "ping":
            return None, [self._refused(number, "Received request before initialization was complete")]
        reason = self._reason(method, params)
        if reason is not None:
            return None, [self._refused(number, reason)]
        if method != "initialize" and not self._host.handles(method):
            return None, [_failure(number, METHOD_NOT_FOUND, "Method not found")]
        if params and "cursor" in params and self._host.answers_whole(method):
            del params["cursor"]
            data = dumps(message).encode()
        if method == "initialize":
            self._ready = True
        self._in_flight.add(number)
        return data, []

    def _reason(self, method: str, params: Any) -> str | None:
        """Why the official package would refuse a request; `None` if it would not."""
        if method not in REQUESTS:
            return f"there is no method {method}"
        if _is_plain(method, params):
            return None
        try:
            self._host.face.parse(self._host, method, params)
        except ValueError as error:
            return str(error)
        return None

    def _refused(self, number: Id, reason: str) -> str:
        logger.warning("Failed to validate request: %s", reason)
        return _failure(number, INVALID_PARAMS, "Invalid request parameters", "")

    def _notification(self, message: dict[str, Any], data: bytes) -> tuple[bytes | None, list[str]]:
        method = message["method"]
        params: dict[str, Any] = message.get("params") or {}
        if "id" in message:
            # Such an id is invalid; the official package treats it as an unknown member.
            return None, []
        if method == "notifications/initialized":
            self._ready = True
        elif method == "notifications/cancelled":
            number = params.get("requestId")
            if isinstance(number, (int, str)) and number in self._in_flight:
                self._in_flight.discard(number)
                return data, [_failure(number, 0, "Request cancelled")]
        return data, []


def _failure(number: Id, code: int, message: str, data: Any = None) -> str:
    error: dict[str, Any] = {"code": code, "message": message}
    if data is not None:
        error["data"] = data
    return dumps({"jsonrpc": "2.0", "id": number, "error": error})


def _is_id(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool))


def _kind(message: Any) -> str:
    if not isinstance(message, dict):
        return "nothing"
    every = cast("dict[str, Any]", message)
    if every.get("jsonrpc") != "2.0":
        return "nothing"
    if isinstance(every.get("method"), str):
        params = every.get("params")
        if params is not None and not isinstance(params, dict):
            return "nothing"
        return "request" if _is_id(every.get("id")) else "notification"
    if not _is_id(every.get("id")):
        return "nothing"
    error = every.get("error")
    if isinstance(every.get("result"), dict) or (
        isinstance(error, dict) and isinstance(cast("dict[str, Any]", error).get("message"), str)
    ):
        return "reply"
    return "nothing"


def _is_modern(params: dict[str, Any] | None) -> bool:
    meta: Any = params.get("_meta") if params else None
    return isinstance(meta, dict) and _MODERN in meta


def _is_plain(method: str, params: Any) -> bool:
    """Whether params are obviously valid, so that no model has to be loaded to check them."""
    if method in ("ping", "tools/list", "resources/list", "prompts/list", "resources/templates/list"):
        return not params
    if not isinstance(params, dict):
        return False
    given = cast("dict[str, Any]", params)
    if method == "tools/call":
        known = given.keys() <= {"name", "arguments"}
        return known and isinstance(given.get("name"), str) and isinstance(given.get("arguments", {}), dict)
    if method == "initialize":
        client, known = given.get("clientInfo"), given.get("capabilities") == {}
        if not isinstance(client, dict) or not known or not isinstance(given.get("protocolVersion"), str):
            return False
        texts = cast("dict[str, Any]", client)
        return texts.keys() == {"name", "version"} and all(isinstance(text, str) for text in texts.values())
    return False
