"""Carrying out a flow of the engine: what each step asks of `httpx`, the storage and the program.

Owns: what is done at each step, and which hook is called for it. Must not know: which step follows
which; what the hooks do.
"""

from __future__ import annotations

import logging
from abc import abstractmethod
from typing import Any

from pydantic import ValidationError
from pydantic_core import from_json

from ..._engine import face
from ..._engine.json import dumps
from ..._mcpbolt import AuthFlow, EngineError
from ...shared._httpx_utils import redirect_note
from ...shared.auth import OAuthClientInformationFull, ProtectedResourceMetadata
from .._http_package import httpx
from . import utils
from ._context import OAuthContext
from ._decisions import as_exception, from_engine
from ._redirects import RedirectAwareAuth
from .extensions.dpop import DpopKey

logger: logging.Logger = logging.getLogger("mcp.client.auth.oauth2")

Step = dict[str, Any]

# Operations whose success is remembered for the next flow.
_MOST_ACCEPTED = 256


class FlowOfEngine(RedirectAwareAuth):
    """The part of an OAuth provider that follows the steps of the engine's flow.

    Args:
        context: The state of the flow: the server, the client, its tokens.
        assume_endpoints: Whether `/authorize`, `/token` and `/register` are tried if a server
            publishes no metadata; `None` for the engine's rule.
        dpop: The key to bind tokens to (RFC 9449). Default: none.
    """

    # For whom tokens are.
    _grant = "authorization_code"
    # The only authorization server that a client without a user is shown to.
    _issuer: str | None = None

    def __init__(self, context: OAuthContext, assume_endpoints: bool | None, dpop: DpopKey | None = None) -> None:
        self.context: OAuthContext = context
        # What tokens are bound to.
        self._dpop = None if dpop is None else dpop.engine
        self._assume_endpoints = assume_endpoints
        # The flow that runs, its step, and what the next one has to know of it.
        self._flow: AuthFlow | None = None
        self._step: Step = {}
        self._quiet = False
        self._saved: str | None = None
        # What the server let through since: the bounds on asking again begin anew with it.
        self._accepted: set[str] = set()
        # The metadata of servers as they came: models write URLs in their own way.
        self._documents: dict[str, Any] = {}

    @abstractmethod
    def _checks_resource(self) -> bool:
        """Whether the program checks the resource that a server publishes."""

    @abstractmethod
    def _expected_issuer(self) -> str: ...

    @abstractmethod
    def _forget_foreign_credentials(self) -> None: ...

    @abstractmethod
    async def _validate_resource_match(self, prm: ProtectedResourceMetadata) -> None: ...

    @abstractmethod
    async def _handle_protected_resource_response(self, response: httpx.Response) -> bool: ...

    @abstractmethod
    async def _handle_oauth_metadata_response(self, response: httpx.Response) -> None: ...

    @abstractmethod
    async def _perform_authorization(self) -> httpx.Request: ...

    @abstractmethod
    async def _refresh_token(self) -> httpx.Request: ...

    @abstractmethod
    async def _handle_token_response(self, response: httpx.Response) -> None: ...

    @abstractmethod
    async def _handle_refresh_response(self, response: httpx.Response) -> bool: ...

    # What the engine is told.

    def _options(self) -> dict[str, Any]:
        """The options of a flow."""
        context = self.context
        client = context.client_metadata.model_dump(mode="json", by_alias=True, exclude_none=True)
        # The engine chooses the scopes, and says so to those who look here.
        configured = client.pop("scope", None)
        options: dict[str, Any] = {
            "server_url": context.server_url,
            "client": client,
            "client_metadata_url": context.client_metadata_url,
            "grant": self._grant,
            "scope": None if self._grant == "authorization_code" else configured,
            "like": face.current.authorizes_like,
            # Storages of programs name no issuer.
            "bind_clients": True,
            "revision": context.protocol_version,
            "any_resource": self._checks_resource(),
        }
        if self._dpop is not None:
            options["proofs"] = True
        if self._assume_endpoints is not None:
            options["default_endpoints"] = "always" if self._assume_endpoints else "never"
        return options

    def _stored(self) -> dict[str, Any]:
        """What is kept, as the context has it now."""
        context = self.context
        tokens, info, server = context.current_tokens, context.client_info, self._server()
        stored: dict[str, Any] = {"clients": [], "server": server}
        if info is not None and info.client_id:
            client = info.model_dump(mode="json", exclude_none=True)
            if self._grant != "authorization_code":
                client.update(origin="pre_registered", issuer=self._issuer)
            stored["clients"].append(client)
        if tokens is not None and tokens.access_token:
            stored["tokens"] = {
                "access_token": tokens.access_token,
                "refresh_token": tokens.refresh_token,
                # Ended is what the program says has ended, whatever its clock says to others.
                "expires_at": (context.token_expiry_time or None) if context.is_token_valid() else 1,
                "scope": tokens.scope or context.client_metadata.scope,
                # They are shown to no other issuer than the client itself.
                "issuer": info and info.issuer,
                "client_id": info and info.client_id,
            }
        return stored

    def _server(self) -> dict[str, Any] | None:
        context, known = self.context, self._documents
        if context.oauth_metadata is None and "metadata" not in known:
            return None
        if context.oauth_metadata is not None and context.oauth_metadata is not known.get("model"):
            resource = context.protected_resource_metadata
            return {
                "metadata": context.oauth_metadata.model_dump(mode="json", exclude_none=True),
                "resource": resource and resource.model_dump(mode="json", exclude_none=True),
            }
        return {"metadata": known["metadata"], "resource": known.get("resource")}

    # What the engine says.

    async def _start(self, cause: Any) -> httpx.Request | None:
        """Begin a flow; returns the first request to send, or `None` if there is nothing to do."""
        self._open(cause)
        return await self._next(None, None)

    def _open(self, cause: Any, server: dict[str, Any] | None = None) -> None:
        stored = self._stored()
        stored["server"] = stored["server"] or server
        try:
            self._flow = AuthFlow(dumps(self._options()), dumps(stored), self._saved)
            self._quiet = cause == "request"
            for operation in self._accepted:
                self._flow.accepted(operation)
            self._accepted.clear()
            self._step = self._flow.start(dumps(cause))
        except EngineError as error:
            raise from_engine(error) from None

    async def _go_on(self, response: httpx.Response) -> httpx.Request | None:
        """Hand on the answer to a request; returns the next request."""
        sent = self._step
        if sent["step"] != "fetch" or self._flow is None:
            # A subclass asked for tokens in a way of its own.
            await self._handle_token_response(response)
            self._step = {"step": "send"}
            return None
        body = await response.aread()
        if sent["asks_for"] == "resource_metadata" and self._checks_resource():
            metadata = await utils.handle_protected_resource_response(response)
            if metadata is not None:
                await self._validate_resource_match(metadata)
        self._step = self._flow.answered(response.status_code, body)
        await self._note(sent["asks_for"], response)
        return await self._next(sent, response)

    async def _next(self, sent: Step | None, response: httpx.Response | None) -> httpx.Request | None:
        """Do what is to do without the server; returns the next request."""
        while True:
            step = self._step
            match step["step"]:
                case "fetch" if step["asks_for"] == "registration":
                    self.context.client_metadata.scope = from_json(step["body"]).get("scope")
                    return self._request()
                case "remember":
                    # The engine chose the scopes; programs look for them here.
                    self.context.client_metadata.scope = step["scope"]
                    await self._keep_document_client()
                    return await self._perform_authorization()
                case "fetch" if step["asks_for"] == "tokens" and step["grant"] == "refresh_token":
                    return await self._refresh_token()
                case "fetch" if step["asks_for"] != "tokens":
                    return self._request()
                case "fetch" | "supply":
                    return await self._perform_authorization()
                case "store":
                    await self._store(step, sent, response)
                    self._tell("done")
                case "fail":
                    await self._fail(step, response)
                    return None
                case "send":
                    self._end()
                    return None
                case _:
                    self._tell("gave_up")

    def _prove(self, request: httpx.Request) -> None:
        if self._dpop is None:
            return
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme == "DPoP":
            request.headers["DPoP"] = self._dpop.proof(request.method, str(request.url), token)
        elif self._step.get("wants_proof"):
            request.headers["DPoP"] = self._dpop.proof(request.method, str(request.url))

    async def _wants_nonce(self, request: httpx.Request, response: httpx.Response) -> bool:
        nonces = response.headers.get_list("DPoP-Nonce")
        if self._dpop is None or len(nonces) != 1 or "DPoP" not in request.headers:
            return False
        # A resource server says it in a challenge, and its answer may be a stream.
        body = None if request.headers.get("Authorization", "").startswith("DPoP ") else await response.aread()
        challenges = response.headers.get_list("WWW-Authenticate")
        return self._dpop.answered(str(request.url), nonces[0], response.status_code, challenges, body)

    def _tell(self, event: Any) -> None:
        assert self._flow is not None
        try:
            self._step = self._flow.take(dumps(event))
        except EngineError as error:
            raise from_engine(error) from None

    def _end(self) -> None:
        if self._flow is not None:
            self._saved = self._flow.save()
        self._flow = None

    async def _fail(self, step: Step, response: httpx.Response | None) -> None:
        self._end()
        if step["kind"] == "not_about_authorization":
            return
        if self._quiet:
            # The server says what it wants when the request comes without a token.
            logger.warning("Token refresh failed: %s", step["message"])
            self.context.clear_tokens()
            return
        error = as_exception(step)
        if response is not None:
            error.args = (f"{error}{redirect_note(response)}",)
            if step["kind"] == "resource_mismatch":
                metadata = await utils.handle_protected_resource_response(response)
                if metadata is not None:
                    await self._validate_resource_match(metadata)
            if (step["kind"], step.get("document")) == ("issuer_mismatch", "server_metadata"):
                _, found = await utils.handle_auth_metadata_response(response)
                if found is not None:
                    utils.validate_metadata_issuer(found, self._expected_issuer())
                    utils.validate_metadata_issuer(found, step["expected"])
        raise error

    def _notice(self, request: httpx.Request, response: httpx.Response) -> bool:
        """Whether a request was refused; one that was not is told to the next flow."""
        if response.status_code in (401, 403):
            return True
        if self._saved is not None and len(self._accepted) < _MOST_ACCEPTED:
            self._accepted.add(operation_of(request))
        return False

    def _request(self) -> httpx.Request:
        """The request of the step."""
        return self._made(self._step)

    @property
    def _library(self) -> Any:
        """The package that sends the requests. Another line may have another."""
        return httpx

    def _made(self, step: Step) -> httpx.Request:
        """The request that a step describes."""
        made: httpx.Request = self._library.Request(
            step["method"], step["url"], headers=step["headers"], content=step["body"]
        )
        return made

    async def _note(self, asked: str, response: httpx.Response) -> None:
        """Keep metadata that the engine uses where programs look for them."""
        context, step = self.context, self._step
        found = step["step"] != "fail" and step.get("asks_for") != asked
        if asked == "resource_metadata" and found:
            self._documents = {}
            await self._handle_protected_resource_response(response)
            self._forget_foreign_credentials()
        elif asked == "server_metadata" and found and response.is_success:
            self._documents["metadata"] = from_json(response.content)
            try:
                await self._handle_oauth_metadata_response(response)
            except ValidationError:
                # Some members are needed by flows with a browser only.
                context.oauth_metadata = None
            self._documents["model"] = context.oauth_metadata

    async def _store(self, step: Step, sent: Step | None, response: httpx.Response | None) -> None:
        context = self.context
        match step["change"]:
            case "client":
                assert response is not None
                await self._keep_client(await self._registered(response))
            case "tokens" if response is not None:
                refreshed = sent is not None and sent["grant"] == "refresh_token"
                await (self._handle_refresh_response(response) if refreshed else self._handle_token_response(response))
            case "forget_client":
                context.client_info = None
                context.clear_tokens()
            case _:
                logger.warning("Token refresh failed: %s", response.status_code if response else "")
                context.clear_tokens()

    async def _registered(self, response: httpx.Response) -> OAuthClientInformationFull:
        """The credentials of a registration that the engine accepted."""
        info = await utils.handle_registration_response(response, self.context.client_metadata)
        utils.check_registration_usable(info, self.context.client_metadata)
        metadata = self._documents.get("metadata", {})
        issuer, base = self._expected_issuer(), self.context.get_authorization_base_url
        if metadata and (metadata.get("registration_endpoint") or base(issuer) == base(self.context.server_url)):
            info.issuer = issuer
        return info

    async def _keep_document_client(self) -> None:
        """Keep a client whose id is the URL of its metadata: it registers nowhere."""
        assert self._flow is not None
        client, own = self._flow.found()["client"], self.context.client_metadata_url
        if own and client and client["client_id"] == own and self.context.client_info is None:
            info = utils.create_client_info_from_metadata_url(own, self.context.client_metadata.redirect_uris)
            info.issuer = self._expected_issuer()
            await self._keep_client(info)

    async def _keep_client(self, info: OAuthClientInformationFull) -> None:
        self.context.client_info = info
        await self.context.storage.set_client_info(info)


def refusal(request: httpx.Request, response: httpx.Response) -> dict[str, Any]:
    """A refused request, as the engine is told of it."""
    _, _, sent = request.headers.get("Authorization", "").partition(" ")
    return {
        "refused": {
            "status": response.status_code,
            "challenges": response.headers.get_list("WWW-Authenticate"),
            "sent": sent or None,
            "operation": operation_of(request),
        }
    }


def operation_of(request: httpx.Request) -> str:
    """What a request does, as far as its headers say: for each of these the engine bounds how often
    more is asked for.
    """
    return " ".join([request.method, *(request.headers.get(name, "") for name in ("mcp-method", "mcp-name"))])
