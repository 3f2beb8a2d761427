"""`requestState` that a program seals with its own keys, and the limits on its use.

Owns: the policy, the claims that are sealed with a state, and their check. Must not know: how
questions reach a client. In `MCPServer` nothing else seals the states of handlers, so every
process with the same keys or codec accepts them. Answers that the engine carries by itself are
sealed with keys derived from these.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import math
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NoReturn, cast

from .._engine.protocol import METHODS
from .._engine.questions import is_question
from .._mcpbolt import EngineError, take_state
from ..shared.exceptions import MCPError, from_engine
from ._state_codec import AESGCMRequestStateCodec, InvalidRequestState, RequestStateCodec, from_text, to_text

if TYPE_CHECKING:
    from .context import CallNext, HandlerResult, ServerRequestContext

__all__ = [
    "AESGCMRequestStateCodec",
    "InvalidRequestState",
    "RequestStateBoundary",
    "RequestStateCodec",
    "RequestStateSecurity",
    "authenticated_principal",
]

logger: logging.Logger = logging.getLogger("mcp.server.request_state")

INVALID_PARAMS, INTERNAL_ERROR = -32602, -32603
# Whose results may be questions.
ASKING = frozenset(name for name, row in METHODS.items() if row.may_require_input)
_VERSION = 1
# Seconds by which the clock of the process that sealed may be ahead.
_AHEAD = 60.0
_PRINCIPAL_LABEL = b"mcp/request-state/principal:"
_SALT, _DIGEST, _NUMBER = 8, 16, 16
_ENGINE_LABEL = b"mcpbolt/request-state/engine:"


def compact_json(value: Any, *, sort_keys: bool = False) -> str:
    """JSON text in a canonical form. It is ASCII only, since clients may send lone surrogates.

    Args:
        value: Any JSON value.
        sort_keys: Whether members are in the order of their names. Default: no.
    """
    return json.dumps(value, sort_keys=sort_keys, separators=(",", ":"))


def authenticated_principal(ctx: ServerRequestContext[Any, Any]) -> str | None:
    """The user or client that the verified token of a request belongs to; `None` without a
    token.

    Two users of the same client are told apart if the token names its user.

    Args:
        ctx: The context of the request.
    """
    from .auth.middleware.auth_context import get_access_token
    from .auth.provider import principal_components

    del ctx
    token = get_access_token()
    return None if token is None else compact_json(principal_components(token))


class RequestStateSecurity:
    """How `requestState` is protected, how long it is valid and for whom.

    It is the state that a function keeps between the rounds of a call (2026-07-28). Clients hold it
    meanwhile, so it is encrypted and bound to the request.

    Example:
        ```python
        MCPServer("orders", request_state_security=RequestStateSecurity(keys=[new_secret, old_secret]))
        ```

    To change keys without losing states, deploy `[old, new]`, then `[new, old]`, and after
    `ttl` seconds `[new]`.

    Args:
        keys: Secrets of at least 32 bytes. The first one encrypts, all of them decrypt. Default:
            none, for a `codec`.
        codec: An object that seals and opens states, instead of `keys`. Default: none.
        ttl: How many seconds a state is valid. Default: 600.
        bind_principal: Returns the user that the states of a request are bound to; only this user
            can send them back. `None`, or a function that returns `None`: any user can. Default:
            the user or client of the verified token.
        audience: The service that a state is valid for. Default: the name of the server.
        reusable: Whether a state is accepted any number of times until it expires. Default: no, only
            once; each process remembers the used states by itself.

    Raises:
        ValueError: Both or neither of `keys` and `codec` are given, or `ttl` is not a positive
            finite number.
    """

    codec: RequestStateCodec
    """Seals and opens states."""
    ttl: float
    """How many seconds a state is valid."""
    bind_principal: Callable[[ServerRequestContext[Any, Any]], str | None] | None
    """Returns the user that the states of a request are bound to, or `None`."""
    audience: str | None
    """The service that a state is valid for; `None` for the name of the server."""
    reusable: bool
    """Whether a state is accepted any number of times until it expires."""

    def __init__(
        self,
        *,
        keys: Sequence[bytes | bytearray | str] | None = None,
        codec: RequestStateCodec | None = None,
        ttl: float = 600.0,
        bind_principal: Callable[[ServerRequestContext[Any, Any]], str | None] | None = authenticated_principal,
        audience: str | None = None,
        reusable: bool = False,
    ) -> None:
        if (keys is None) == (codec is None):
            raise ValueError("RequestStateSecurity takes exactly one of keys= or codec=")
        if not 0 < ttl < math.inf:
            raise ValueError(f"request-state ttl must be a positive finite number, got {ttl!r}")
        self.codec = codec if codec is not None else AESGCMRequestStateCodec(keys or ())
        self.engine_keys: tuple[str, ...] = tuple(_engine_key(key) for key in keys or ())
        """Keys for the engine's own seal; empty with a codec, and the engine then uses a
        random key of this process.
        """
        self.ttl = ttl
        self.bind_principal = bind_principal
        self.audience = audience
        self.reusable = reusable

    @classmethod
    def ephemeral(cls, *, ttl: float = 600.0, audience: str | None = None) -> RequestStateSecurity:
        """Make a policy with a random key of this process: its states are useless after a
        restart and in other processes.

        Args:
            ttl: How many seconds a state is valid. Default: 600.
            audience: The service that a state is valid for. Default: the name of the server.
        """
        return cls(keys=[os.urandom(32)], ttl=ttl, audience=audience)


def _engine_key(key: bytes | bytearray | str) -> str:
    secret = key.encode() if isinstance(key, str) else bytes(key)
    return hmac.new(secret, _ENGINE_LABEL, hashlib.sha256).hexdigest()


@dataclass(frozen=True)
class Binding:
    """The request and the user that a state is bound to."""

    method: str
    """The request's method."""
    target: str
    """The name or URI that it is about."""
    arguments: str
    """A digest of its arguments."""
    principal: str | None
    """The user; `None` if the state is bound to none."""


class RequestStateBoundary:
    """Seals the `requestState` that handlers return, and opens what clients send back.

    It can be used as middleware of a `Server`; `MCPServer` adds one by itself if it is given
    `request_state_security`. A state that cannot be opened, has expired, or is bound to
    another request, user or service is refused with -32602, always with the same message. The
    log has the reason.

    Args:
        security: The policy.
        default_audience: The service, if the policy does not name one; `None` for any.
    """

    def __init__(self, security: RequestStateSecurity, *, default_audience: str | None) -> None:
        self._security = security
        self._audience = security.audience if security.audience is not None else default_audience

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """Stand around a handler, as middleware."""
        if ctx.method not in ASKING:
            return await call_next(ctx)
        binding: Binding | None = None
        token = (ctx.params or {}).get("requestState")
        if token is not None:
            state, binding = self.unseal(ctx, token)
            ctx = replace(ctx, params={**(ctx.params or {}), "requestState": state})
        return self._sealed(ctx, await call_next(ctx), binding)

    def _sealed(
        self, ctx: ServerRequestContext[Any, Any], result: HandlerResult, binding: Binding | None
    ) -> HandlerResult:
        if isinstance(result, dict):
            state = result.get("requestState")
            if result.get("resultType") != "input_required" or not isinstance(state, str):
                return result
            return {**result, "requestState": self.seal(ctx, state, binding)}
        state = getattr(result, "requestState", None)
        if result is None or state is None or not is_question(result):
            return result
        return result.model_copy(update={"requestState": self.seal(ctx, state, binding)})

    def unseal(self, ctx: ServerRequestContext[Any, Any], token: Any) -> tuple[str, Binding]:
        """Open a state that a client sent.

        Args:
            ctx: The context of the request.
            token: The sealed text.

        Returns:
            The state as the handler returned it, and what it is bound to.

        Raises:
            MCPError: The state is refused.
        """
        if not isinstance(token, str):
            _refuse(ctx, "non-string requestState")
        try:
            payload = self._security.codec.unseal(token)
        except InvalidRequestState as error:
            _refuse(ctx, str(error))
        except Exception:
            # Whatever went wrong, the state is not proven to be ours.
            logger.exception("The codec of requestState raised on %s", ctx.method)
            _refuse(ctx, "codec error")
        claims, state = _claims(ctx, payload)
        _check_times(ctx, claims)
        asked = _asked(ctx)
        if (claims.get("m"), claims.get("t"), claims.get("a")) != asked:
            _refuse(ctx, "request binding")
        if claims.get("aud") != self._audience:
            _refuse(ctx, "audience")
        principal, claim = self._principal(ctx, _refuse), claims.get("p")
        if (claim is None) != (principal is None):
            _refuse(ctx, "principal drift")
        if principal is not None and not _is_for(claim, principal):
            _refuse(ctx, "principal")
        if not self._security.reusable:
            _take(ctx, claims)
        return state, Binding(*asked, principal)

    def seal(self, ctx: ServerRequestContext[Any, Any], state: str, binding: Binding | None = None) -> str:
        """Seal a state for the client, with the binding of the state before it, if any.

        Args:
            ctx: The context of the request.
            state: The state.
            binding: What the state is bound to. Default: this request.

        Raises:
            MCPError: Sealing failed; the log has the reason.
        """
        binding = binding or Binding(*_asked(ctx), self._principal(ctx, _fail))
        now = time.time()
        claims: dict[str, Any] = {"v": _VERSION, "iat": now, "exp": now + self._security.ttl, "m": binding.method}
        claims["jti"] = to_text(os.urandom(_NUMBER))
        claims.update(t=binding.target, a=binding.arguments, s=state)
        if self._audience is not None:
            claims["aud"] = self._audience
        if binding.principal is not None:
            claims["p"] = _claim_of(binding.principal)
        try:
            return self._security.codec.seal(compact_json(claims).encode())
        except Exception:
            logger.exception("The codec of requestState raised on %s", ctx.method)
            raise MCPError(INTERNAL_ERROR, "Internal error") from None

    def _principal(self, ctx: ServerRequestContext[Any, Any], fail: Callable[[Any, str], NoReturn]) -> str | None:
        try:
            found: Any = self._security.bind_principal(ctx) if self._security.bind_principal else None
        except Exception:
            logger.exception("bind_principal raised on %s", ctx.method)
            fail(ctx, "principal binding error")
        if found is not None and not isinstance(found, str):
            fail(ctx, f"bind_principal returned {type(found).__name__}, expected str or None")
        return found


def _asked(ctx: ServerRequestContext[Any, Any]) -> tuple[str, str, str]:
    """What a state is bound to of a request: the method, its target and its arguments."""
    params: Mapping[str, Any] = ctx.params or {}
    reads = ctx.method == "resources/read"
    arguments: Any = {} if reads else params.get("arguments") or {}
    digest = hashlib.sha256(compact_json(arguments, sort_keys=True).encode()).digest()[:_DIGEST]
    return ctx.method, str(params.get("uri" if reads else "name", "")), to_text(digest)


def _refuse(ctx: ServerRequestContext[Any, Any], reason: str) -> NoReturn:
    logger.warning("requestState rejected on %s: %s", ctx.method, reason)
    raise MCPError(INVALID_PARAMS, "Invalid or expired requestState", {"reason": "invalid_request_state"})


def _fail(ctx: ServerRequestContext[Any, Any], reason: str) -> NoReturn:
    logger.error("requestState was not sealed on %s: %s", ctx.method, reason)
    raise MCPError(INTERNAL_ERROR, "Internal error")


def _claims(ctx: ServerRequestContext[Any, Any], payload: bytes) -> tuple[dict[str, Any], str]:
    try:
        claims: Any = json.loads(payload)
    except (ValueError, TypeError):
        _refuse(ctx, "malformed")
    if not isinstance(claims, dict):
        _refuse(ctx, "malformed")
    found = cast("dict[str, Any]", claims)
    state = found.get("s")
    if found.get("v") != _VERSION or not isinstance(state, str) or not {"iat", "exp"} <= found.keys():
        _refuse(ctx, "malformed")
    return found, state


def _check_times(ctx: ServerRequestContext[Any, Any], claims: dict[str, Any]) -> None:
    now, made, over = time.time(), claims["iat"], claims["exp"]
    # The conditions are negated so that NaN is refused too.
    if not (isinstance(made, (int, float)) and made <= now + _AHEAD):
        _refuse(ctx, "minted in the future")
    if not (isinstance(over, (int, float)) and now < over):
        _refuse(ctx, "expired")


def _take(ctx: ServerRequestContext[Any, Any], claims: dict[str, Any]) -> None:
    """Mark a state as used. Its claims are unique: they have a number or, as the official
    package writes them, a time in microseconds.
    """
    number = to_text(hashlib.sha256(compact_json(claims, sort_keys=True).encode()).digest())
    try:
        take_state(number, claims["exp"])
    except EngineError as error:
        logger.warning("requestState rejected on %s: used", ctx.method)
        raise from_engine(error) from None


def _claim_of(principal: str) -> str:
    salt = os.urandom(_SALT)
    return to_text(salt + _mark(salt, principal))


def _is_for(claim: Any, principal: str) -> bool:
    try:
        raw = from_text(claim) if isinstance(claim, str) else b""
    except ValueError:
        return False
    return hmac.compare_digest(raw[_SALT:], _mark(raw[:_SALT], principal))


def _mark(salt: bytes, principal: str) -> bytes:
    """A hash that tells users apart without revealing them."""
    return hashlib.sha256(_PRINCIPAL_LABEL + salt + principal.encode("utf-8", "surrogatepass")).digest()[:_DIGEST]
