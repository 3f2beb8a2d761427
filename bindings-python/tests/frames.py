"""Every kind of message a server may be sent, right and wrong, for comparing two servers.

A frame is what goes on the line; requests that are never answered by themselves are
followed by what ends them.
"""

from __future__ import annotations

from typing import Any

Frame = dict[str, Any] | bytes

HANDSHAKE: list[dict[str, Any]] = [
    {
        "jsonrpc": "2.0",
        "id": 0,
        "method": "initialize",
        "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}},
    },
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
]


class _Requests:
    def __init__(self) -> None:
        self.last = 0

    def __call__(self, method: str, params: Any = None) -> dict[str, Any]:
        self.last += 1
        message = {"jsonrpc": "2.0", "id": self.last, "method": method}
        return message if params is None else {**message, "params": params}


def frames() -> list[Frame]:
    """The whole script."""
    ask = _Requests()
    before: list[Frame] = [{"jsonrpc": "2.0", "id": -5, "method": "tools/list"}, {"jsonrpc": "2.0", "id": -6, "method": "ping"}]
    return [*before, *HANDSHAKE, *_lists(ask), *_calls(ask), *_reads(ask), *_others(ask), *_cancelled(ask), *MALFORMED]


_NO_URI = "no uri"


def handled() -> list[dict[str, Any]]:
    """Requests that reach handlers, as far as they are right."""
    ask = _Requests()
    # What is no URI reaches no handler over HTTP, where the engine looks at it.
    wrong = {"uri": _NO_URI}
    every = [frame for frame in [*_calls(ask), *_reads(ask)] if isinstance(frame, dict)]
    return [frame for frame in every if frame.get("params") != wrong]


def _lists(ask: _Requests) -> list[Frame]:
    kinds = ("tools", "resources", "resources/templates", "prompts")
    unknown = [ask("no/such"), ask("no/such", {"a": 1}), ask("tools/list", {"cursor": "zz"}), ask("tools/list", {"cursor": 1})]
    return [ask("ping"), *(ask(f"{kind}/list") for kind in kinds), *unknown]


def _calls(ask: _Requests) -> list[Frame]:
    names = ("add", "fails", "refuses", "out", "typed", "there-is-none")
    each = [ask("tools/call", {"name": name, "arguments": {"a": 1}}) for name in names]
    noisy = ask("tools/call", {"name": "says", "arguments": {}, "_meta": {"progressToken": "p"}})
    arguments: list[Any] = [{"a": "x"}, {}, {"a": 9}, {"n": 1}]
    return [
        *each,
        noisy,
        *(ask("tools/call", {"name": name, "arguments": given}) for name in ("add", "typed", "out") for given in arguments),
        ask("tools/call", {"name": "add"}),
        ask("tools/call", {"name": "add", "arguments": [1]}),
        ask("tools/call", {"arguments": {}}),
        ask("tools/call", {"name": 5}),
        ask("tools/call"),
    ]


def _reads(ask: _Requests) -> list[Frame]:
    uris = ("note://one", "note://none", "note://fails", "note://refuses", "of://x", "of://bad", _NO_URI)
    prompts: list[Any] = [
        {"name": "greet", "arguments": {"name": "A"}},
        {"name": "greet"},
        {"name": "there-is-none"},
        {"name": "fails"},
        {"name": "greet", "arguments": {"name": 1}},
        {},
    ]
    read = [ask("resources/read", {"uri": uri}) for uri in uris]
    return [*read, *(ask("prompts/get", params) for params in prompts)]


def _others(ask: _Requests) -> list[Frame]:
    reference = {"ref": {"type": "ref/prompt", "name": "greet"}, "argument": {"name": "name", "value": ""}}
    old = {"protocolVersion": "1999-01-01", "capabilities": {"roots": {}}, "clientInfo": {"name": "c", "version": "1"}}
    return [
        ask("completion/complete", reference),
        ask("completion/complete", {}),
        ask("logging/setLevel", {"level": "info"}),
        ask("logging/setLevel", {"level": "loud"}),
        ask("resources/subscribe", {"uri": "note://one"}),
        ask("resources/unsubscribe", {"uri": "note://one"}),
        ask("sampling/createMessage", {}),
        ask("roots/list"),
        ask("elicitation/create"),
        ask("tasks/list"),
        ask("initialize", old),
        ask("initialize", {}),
        ask("server/discover", {}),
        {"jsonrpc": "2.0", "id": "text", "method": "ping"},
        {"jsonrpc": "2.0", "id": "77", "method": "ping"},
    ]


def _cancelled(ask: _Requests) -> list[Frame]:
    call, prompt = ask("tools/call", {"name": "slow", "arguments": {}}), ask("prompts/get", {"name": "slow"})
    rows: list[Frame] = []
    for slow in (call, prompt):
        rows += [slow, {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": slow["id"]}}]
    notifications: list[Frame] = [
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 4444}},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {}},
        {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": 4444, "progress": 1}},
        {"jsonrpc": "2.0", "method": "notifications/there-is-none"},
        {"jsonrpc": "2.0", "method": "notifications/roots/list_changed"},
    ]
    return [*rows, *notifications]


MALFORMED: list[Frame] = [
    b"{no json",
    b"[]",
    b"5",
    b"",
    b"  ",
    b"\xff\xfe{",
    b'{"jsonrpc":"1.0","id":1,"method":"ping"}',
    b'{"id":1,"method":"ping"}',
    b'{"jsonrpc":"2.0","id":null,"method":"ping"}',
    b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
    b'{"jsonrpc":"2.0","id":{},"method":"ping"}',
    b'{"jsonrpc":"2.0","id":7777,"method":5}',
    b'{"jsonrpc":"2.0","id":7777,"method":"ping","params":[1]}',
    b'[{"jsonrpc":"2.0","id":7778,"method":"ping"}]',
    b'{"jsonrpc":"2.0","id":7779,"result":{}}',
    b'{"jsonrpc":"2.0","id":7780,"error":{"code":1,"message":"x"}}',
]
