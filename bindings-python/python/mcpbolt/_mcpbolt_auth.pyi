"""The part of the extension module that serves signing in and tokens; at run time it is in `_mcpbolt`."""

from collections.abc import Sequence
from typing import Any, final

@final
class AuthFlow:
    """The way to a token at one server, step by step. `stored` is what is kept, `saved` what an
    earlier flow with the server left. Steps are dictionaries with `step`: `fetch`, `remember`,
    `open_browser`, `ask_user`, `supply`, `store`, `send` or `fail`."""
    def __new__(cls, options: str, stored: str, saved: str | None = None) -> AuthFlow: ...
    def start(self, cause: str) -> dict[str, Any]:
        """Begin; returns the first step."""
    def take(self, event: str) -> dict[str, Any]:
        """Go on with an event; returns the next step."""
    def answered(self, status: int, body: bytes) -> dict[str, Any]:
        """Go on with the answer to a request; returns the next step."""
    def accepted(self, operation: str) -> None:
        """Note that the server accepted the token for an operation."""
    def found(self) -> dict[str, Any]:
        """Return what the flow found so far."""
    def save(self) -> str:
        """Return what the next flow with this server has to know."""

@final
class DpopKey:
    """A key on P-256 that tokens are bound to (RFC 9449)."""
    def __new__(cls, pkcs8: bytes | None = None) -> DpopKey: ...
    @property
    def pkcs8(self) -> bytes: """The key to be kept, in DER (PKCS#8)."""
    @property
    def thumbprint(self) -> str: """The thumbprint of its public part (RFC 7638)."""
    def proof(self, method: str, url: str, token: str | None = None) -> str:
        """Return a proof for one request, with the access token that goes with it."""
    def answered(self, url: str, nonce: str, status: int, challenges: list[str], body: bytes | None) -> bool:
        """Take note of an answer; returns whether the request has to be sent once more, with a new proof."""

@final
class BearerRules:
    """What a server asks of the tokens that its program verifies. `options` has `words`, `required_scopes`, `resource`
    and `metadata_url`. A refusal is an `EngineError` whose data has `error` and `error_description`."""
    def __new__(cls, options: str) -> BearerRules: ...
    def token(self, authorization: str) -> str:
        """The token in the value of `Authorization`."""
    def judge(self, scopes: Sequence[str], expires_at: float | None, resource: str | None) -> None:
        """Raise unless a verified token is good here."""
    def demand_scopes(self, granted: Sequence[str]) -> None:
        """Raise unless all required scopes are granted."""
    def answer(self, refused: str) -> dict[str, Any]:
        """The answer to a refused request: `status`, `headers`, `body`."""

@final
class ResourceServer:
    """What a server asks of tokens that the engine verifies. `options` has `resource`, `issuers`,
    and what may be left out: `audiences`, `scopes`, `scopes_supported`, `implies`, `name`,
    `documentation`, `leeway`, `introspection`, `dpop`, `private_networks`."""
    def __new__(cls, options: str) -> ResourceServer: ...
    def document(self) -> tuple[str, str]:
        """The path of its metadata, and what is there."""
    def check(
        self, method: str, target: str, headers: list[tuple[bytes, bytes]]
    ) -> tuple[int | None, dict[str, Any] | None, TokenWait | None]:
        """Look at the head of a request: the number of the token's claims, or `status` and `headers`
        of a refusal, or what has to be waited for."""
    def claims(self, number: int) -> dict[str, Any] | None:
        """What the claims of a number say; `None` once they are forgotten."""

@final
class TokenWait:
    """A check that waits for an issuer."""
    def wait(self) -> tuple[int | None, dict[str, Any] | None, TokenWait | None]:
        """Wait, on a thread that may."""

@final
class AnswerWait:
    """An answer of another server that is waited for: what was asked for, once it is there."""
    def wait(self) -> dict[str, Any]:
        """Wait, on a thread that may."""

@final
class IdentityAssertions:
    """Exchanges assertions of identity providers. `rules` has `issuers`, `audience`, `resources`, and
    what may be left out: `algorithms`, `scopes`, `leeway`. A refusal is an `EngineError` whose data
    has `error` and `error_description`."""
    def __new__(cls, rules: str) -> IdentityAssertions: ...
    def redeem(self, asked: str) -> tuple[dict[str, Any] | None, AnswerWait | None]:
        """Begin an exchange: what is granted, or what has to be waited for."""

@final
class ClientDocuments:
    """Looks up clients whose id is the URL of a document. `places` has `this_machine` and `private_networks`. A
    refusal is an `EngineError` whose data has `error` and `error_description`."""
    def __new__(cls, places: str) -> ClientDocuments: ...
    def client(self, client_id: str) -> tuple[dict[str, Any] | None, AnswerWait | None]:
        """Begin to look a client up: `client` with its metadata and the `host` of its id, or what to wait for."""

@final
class TokenFile:
    """What is kept for one server in a folder. Every method waits for the disk."""
    def __new__(cls, folder: str, server_url: str) -> TokenFile: ...
    def tokens(self) -> dict[str, Any] | None:
        """The tokens as the answer of a token endpoint, with the `expires_in` that is left."""
    def save_tokens(self, answer: str) -> None:
        """Keep tokens for the client; an empty `access_token` forgets them."""
    def client(self) -> dict[str, Any] | None:
        """The client as the answer of a registration endpoint, with its `issuer`."""
    def save_client(self, information: str) -> None:
        """Keep the client; the tokens of another one are forgotten."""
    def lock(self, patience: float) -> TokenFileLock | None:
        """Wait until nobody else renews the tokens, but no longer than so many seconds."""

@final
class TokenFileLock:
    """Keeps other programs from renewing tokens, until it is released or gone."""
    def release(self) -> None:
        """Let others go on."""

@final
class RedirectPort:
    """A port of this machine (0: a free one) that listens for one answer of a browser."""
    def __new__(cls, port: int, path: str) -> RedirectPort: ...
    @property
    def redirect_uri(self) -> str: """Where the browser has to come back to."""
    def visit(self, url: str) -> RedirectWait:
        """Receive the answer to the authorization request of this URL from now on; possible once."""

@final
class RedirectWait:
    """The answer that is waited for. Without it the port closes."""
    def wait(self, patience: float) -> str | None:
        """Wait, on a thread that may, for the URL that the browser comes back to; `None` after so many seconds."""
