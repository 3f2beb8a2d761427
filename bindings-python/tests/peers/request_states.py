"""What either package makes of states clients send back: `request_states.py mcp | mcpbolt [TOKEN]`.

Prints a line of JSON: what became of each try, a token, and what is in the token given.
"""

import asyncio
import importlib
import json
import logging
import sys
import time
from dataclasses import dataclass
from typing import Any

PACKAGE = sys.argv[1]
states = importlib.import_module(f"{PACKAGE}.server.request_state")
MCPError = importlib.import_module(f"{PACKAGE}.shared.exceptions").MCPError
types = importlib.import_module(f"{PACKAGE}.types")
logging.disable()
OLD, NEW, OTHER = "o" * 32, b"n" * 40, bytearray(b"x" * 32)
Security, Boundary = states.RequestStateSecurity, states.RequestStateBoundary

if PACKAGE == "mcpbolt":

    class Security(states.RequestStateSecurity):  # type: ignore[no-redef]
        """As the official one, which takes a state again and again."""

        def __init__(self, **settings: Any) -> None:
            super().__init__(reusable=True, **settings)



@dataclass
class Request:
    method: str
    params: dict[str, Any] | None


def params(**more: Any) -> dict[str, Any]:
    return {"name": "t", "arguments": {"b": 1, "a": ["é", None]}, **more}


def once(boundary: Any, method: str, given: Any, answer: Any = None) -> Any:
    """The state a handler sees, or the token a client gets, or the error."""
    seen: list[Any] = []

    async def handler(ctx: Any) -> Any:
        seen.append((ctx.params or {}).get("requestState"))
        return answer or {"resultType": "complete"}

    try:
        result = asyncio.run(boundary(Request(method, given), handler))
    except MCPError as error:
        return [error.error.code, error.error.message, error.error.data]
    if not answer:
        return seen[0]
    return result["requestState"] if isinstance(result, dict) else result.request_state


ASK = {"resultType": "input_required", "requestState": "state ☃\ud800"}
ROUND = ("tools/call", params())


def minted(security: Any, audience: Any = "us", request: Any = ROUND, answer: Any = ASK) -> Any:
    return once(Boundary(security, default_audience=audience), *request, answer)


def tried(security: Any, token: Any, audience: Any = "us", method: str = "tools/call", **changed: Any) -> Any:
    return once(Boundary(security, default_audience=audience), method, params(requestState=token, **changed))


def at(seconds: float, work: Any) -> Any:
    real = time.time
    time.time = lambda: real() + seconds
    try:
        return work()
    finally:
        time.time = real


class Plain:
    """A codec that hides nothing."""

    def __init__(self, payload: Any = None) -> None:
        self.payload = payload

    def seal(self, payload: bytes) -> str:
        if self.payload == "unable":
            raise KeyError("secret")
        return payload.decode()

    def unseal(self, token: str) -> Any:
        if isinstance(self.payload, Exception):
            raise self.payload
        return token.encode() if self.payload is None else self.payload


def changed(**more: Any) -> bytes:
    claims = json.loads(minted(Security(codec=Plain())))
    return json.dumps({**claims, **more}).encode()


def raising(_: Any) -> str:
    raise KeyError("secret")


def bindings(ours: Any, token: str) -> dict[str, Any]:
    mine, theirs = Security(keys=[OLD], bind_principal=lambda _: "me"), Security(keys=[OLD], bind_principal=lambda _: "you")
    for_me = minted(mine)
    return {
        "arguments": tried(ours, token, arguments={"b": 2}),
        "order": tried(ours, token, arguments={"a": ["é", None], "b": 1}),
        "name": tried(ours, token, name="u"),
        "method": tried(ours, token, method="prompts/get"),
        "other method": tried(ours, token, method="tools/list") == token,
        "audience": tried(ours, token, audience="them"),
        "no audience": tried(ours, token, audience=None),
        "own audience": tried(Security(keys=[OLD], audience="us"), token, audience="them"),
        "me": tried(mine, for_me),
        "you": tried(theirs, for_me),
        "nobody": tried(ours, for_me),
        "somebody": tried(mine, token),
        "raises": tried(Security(keys=[OLD], bind_principal=raising), token),
        "number": tried(Security(keys=[OLD], bind_principal=lambda _: 3), token),
        "raises first": minted(Security(keys=[OLD], bind_principal=raising)),
        "number first": minted(Security(keys=[OLD], bind_principal=lambda _: 3)),
        "nothing bound": tried(Security(keys=[OLD], bind_principal=None), token),
    }


def rounds(ours: Any, token: str) -> dict[str, Any]:
    reading = ("resources/read", {"uri": "a://b"})
    read = minted(ours, request=reading)
    boundary = Boundary(ours, default_audience="us")
    question = types.InputRequiredResult(request_state="model")
    second = once(boundary, "tools/call", params(requestState=token), ASK)
    return {
        "read": once(boundary, "resources/read", {"uri": "a://b", "requestState": read}),
        "read another": once(boundary, "resources/read", {"uri": "a://c", "requestState": read}),
        "model": tried(ours, minted(ours, answer=question)),
        "second": [second != token, tried(ours, second)],
        "no arguments": once(boundary, "prompts/get", {"name": "p", "arguments": {}, "requestState": minted(ours, request=("prompts/get", {"name": "p"}))}),
        "null": tried(ours, None),
        "number": tried(ours, 5),
        "no params": once(boundary, "tools/call", None),
        "without a state": once(boundary, "tools/call", params(), {"resultType": "input_required", "requestState": None}),
        "complete": once(boundary, "tools/call", params(), {"resultType": "complete", "requestState": "x"}),
    }


def payloads() -> dict[str, Any]:
    given = {
        "same": changed(),
        "version": changed(v=2),
        "state": changed(s=3),
        "no times": changed(iat="x"),
        "no end": changed(exp=None),
        "never": changed(exp=float("nan")),
        "list": b"[]",
        "text": b"{",
        "no bytes": 7,
        "error": KeyError("secret"),
        "invalid": states.InvalidRequestState("secret"),
    }
    found = {name: tried(Security(codec=Plain(payload)), "x") for name, payload in given.items()}
    return {**found, "unable": minted(Security(codec=Plain("unable")))}


def wrong(make: Any) -> str:
    try:
        make()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "taken"


def tries() -> dict[str, Any]:
    ours = Security(keys=[OLD])
    token = minted(ours)
    short = Security(keys=[OLD], ttl=5)
    return {
        "own": tried(ours, token),
        "changed": tried(ours, token[:-2] + ("AA" if token[-2:] != "AA" else "BB")),
        "cut": tried(ours, token[:20]),
        "no prefix": tried(ours, token[3:]),
        "nonsense": tried(ours, "v1.é"),
        "padded": tried(ours, token + "="),
        "other key": tried(Security(keys=[OTHER]), token),
        "rotated": [tried(Security(keys=[NEW, OLD]), token), tried(Security(keys=[NEW]), token)],
        "rotating": [tried(Security(keys=[OLD, NEW]), minted(Security(keys=[NEW, OLD]))), tried(ours, minted(Security(keys=[NEW, OLD])))],
        "in time": at(4, lambda: tried(short, minted(short))),
        "late": at(6, lambda: [tried(short, at(-7, lambda: minted(short)))]),
        "early": at(-61, lambda: tried(ours, at(61, lambda: minted(ours)))),
        "a little early": at(-30, lambda: tried(ours, token)),
        "ephemeral": [isinstance(minted(Security.ephemeral()), str), tried(Security.ephemeral(), token)],
        "wrong": [
            wrong(lambda: Security()),
            wrong(lambda: Security(keys=[OLD], codec=Plain())),
            wrong(lambda: Security(keys=[])),
            wrong(lambda: Security(keys=["short"])),
            wrong(lambda: Security(keys=[OLD, 32])),
            wrong(lambda: Security(keys=[OLD, OLD])),
            *(wrong(lambda ttl=ttl: Security(keys=[OLD], ttl=ttl)) for ttl in (0, -1, float("inf"), float("nan"))),
        ],
        **bindings(ours, token),
        **{f"round: {name}": found for name, found in rounds(ours, token).items()},
        **{f"payload: {name}": found for name, found in payloads().items()},
    }


given = sys.argv[2] if len(sys.argv) > 2 else None
ring = Security(keys=[NEW, OLD], bind_principal=lambda _: "me")
print(json.dumps({"tries": tries(), "token": minted(ring), "opened": given and tried(ring, given)}))
